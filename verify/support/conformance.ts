import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { bytesOverFour } from "@/lib/core/base/characters";
import { decodeColumns, encodeColumns } from "@/lib/core/columns/codec";
import { columnsFromTranscript } from "@/lib/core/columns/from-transcript";
import { sizeTokenColumn } from "@/lib/core/columns/token-columns";
import { RecordKinds } from "@/lib/core/records/intact-record";
import { recordsOfLine } from "@/lib/core/records/jsonl";
import { runs } from "@/lib/core/testing/runs";
import { IMAGE_TOKENS } from "@/lib/core/tokens/estimator";
import type { Reader } from "@/lib/core/transcript/reader";
import { dumpTranscript } from "./dump";
import { inventedLinks, lostFrom, maskedIdsIn, maskings, usagesOf, withMaskedIds } from "./masked-ids";
import { oddRecords } from "./odd-records";
import { readRecords, readTranscript, transcriptOf } from "./read";

/** The fixtures in a folder: files of lines, and documents. */
export function fixturesOf(folder: string): readonly string[] {
  return readdirSync(folder).filter((file) => /\.jsonl?$/.test(file));
}

/** Lines of a file to change: all lines of most fixtures, and the same number of evenly spaced lines of longer ones. */
function placesIn(lines: readonly string[]): readonly number[] {
  const step = Math.ceil(lines.length / runs(12));
  return [...lines.keys()].filter((at) => at % step === 0);
}

/** Positions at which a record is cut: at equal distances, and after every sign that may end or begin a value within it. */
function cutsOf(record: string): readonly number[] {
  const step = Math.ceil(record.length / runs(12));
  const afterSigns = [...record.matchAll(/[:[{}]/g)].map(({ index }) => index + 1).slice(0, runs(30));
  const spread = Array.from({ length: Math.floor(record.length / step) }, (_, at) => 1 + at * step);
  return [...new Set([...afterSigns, ...spread])].filter((end) => record.slice(end).trim() !== "");
}

/**
 * Runs the same checks for every fixture in a reader's folder, so that adding a fixture adds all of them.
 * @param readers every reader: this one must recognise the files, the others must not
 */
export function describeFixtures(reader: Reader, folder: string, readers: readonly Reader[]): void {
  describe.each(fixturesOf(folder))("%s", (file) => {
    const bytes = readFileSync(path.join(folder, file));
    const text = bytes.toString("utf8");
    const dump = (content: string | Uint8Array) =>
      dumpTranscript(readTranscript(typeof content === "string" ? Buffer.from(content) : content, reader));

    test("is recognised by this reader and by no other", () => {
      const head = readRecords(bytes)
        .slice(0, 50)
        .map((record) => record.value);
      const recognised = readers.filter((one) => one.sniff(head)).map(({ format }) => format);
      expect(recognised).toEqual([reader.format]);
    });

    test("is read as in its golden dump", async () => {
      const golden = path.join(folder, file.replace(/\.jsonl?$/, ".golden.txt"));
      await expect(dump(bytes)).toMatchFileSnapshot(golden);
    });

    test("is read the same without a final newline", () => {
      expect(dump(text.replace(/\n$/, ""))).toBe(dump(text.endsWith("\n") ? text : `${text}\n`));
    });

    test("is read the same with CRLF line endings", () => {
      const crlf = text.replace(/\r?\n/g, "\r\n");
      expect(dump(crlf)).toBe(dump(text));
    });

    test("is read without an exception when cut after or within a line", () => {
      const lines = text.split("\n");
      let records = 0;
      for (const count of [...placesIn(lines), lines.length]) {
        const head = lines.slice(0, count).join("\n");
        const transcript = readTranscript(Buffer.from(head), reader);
        dumpTranscript(transcript);
        const { total } = transcript.records;
        if (file.endsWith(".jsonl")) expect(total).toBeGreaterThanOrEqual(records);
        records = total;
        dump(`${head}\n${(lines[count] ?? "").slice(0, 40)}`);
      }
    });

    test("is read the same in chunks of any size", () => {
      const whole = dump(bytes);
      for (const chunk of [1, 7, 64, 1000]) {
        expect(dumpTranscript(readTranscript(bytes, reader, { chunk }))).toBe(whole);
      }
    });

    // The lines of a document are not records.
    test.runIf(file.endsWith(".jsonl"))(
      "gains one damaged line for a garbage line anywhere, and is otherwise read the same",
      () => {
        const lines = text.split("\n");
        const before = readTranscript(bytes, reader);
        for (const at of placesIn(lines)) {
          const after = readTranscript(Buffer.from(lines.toSpliced(at, 0, "%% not a record %%").join("\n")), reader);
          expect(after.damaged).toHaveLength(before.damaged.length + 1);
          expect(after.damaged).toContainEqual({ line: at + 1, bytes: 18, reason: "not JSON" });
          expect(after.records).toEqual(before.records);
          expect(after.messages).toHaveLength(before.messages.length);
          expect(after.requests.map((point) => point.usage)).toEqual(before.requests.map((point) => point.usage));
        }
      },
    );

    test.runIf(file.endsWith(".jsonl"))(
      "keeps the record that follows a cut record on its line, and no value of the cut one",
      () => {
        const records = readRecords(bytes);
        const texts = records.map(({ offset, length }) => bytes.toString("utf8", offset, offset + length));
        const wrong: string[] = [];
        for (const [at, cut] of texts.entries()) {
          // In a record that contains a list of records, the end of an inner record looks like the end of the whole.
          if (at % Math.ceil(texts.length / runs(6)) !== 0 || cut.includes('"$set"')) continue;
          const next = texts[at + 1] ?? texts[0] ?? "";
          // An object of one key may as well be the value at which the record was cut.
          if (Object.keys(JSON.parse(next)).length < 2) continue;
          for (const end of cutsOf(cut)) {
            const kinds = new RecordKinds();
            for (const { value } of records) kinds.learn(value);
            const line = `${cut.slice(0, end)}${next}`;
            const read = (text: string) =>
              recordsOfLine({ line: 1, offset: 0, length: text.length, text }, undefined, kinds);
            const after = read(line).records.map(({ value }) => JSON.stringify(value));
            const alone = read(cut.slice(0, end)).records;
            if (after.length !== 1 || after[0] !== JSON.stringify(JSON.parse(next)) || alone.length > 0)
              wrong.push(line);
          }
        }
        expect(wrong).toEqual([]);
      },
    );

    test.runIf(file.endsWith(".jsonl"))("gains one damaged line for a record that is nested too deep", () => {
      const lines = text.split("\n");
      const before = readTranscript(bytes, reader);
      const nested = `${"[".repeat(5000)}${"]".repeat(5000)}`;
      for (const at of [0, Math.floor(lines.length / 2)]) {
        const one = JSON.stringify(readRecords(Buffer.from(lines[at] ?? ""))[0]?.value ?? {});
        const deep = `{"nested":${nested},"rest":${one}}`;
        const after = readTranscript(Buffer.from(lines.toSpliced(at, 0, deep).join("\n")), reader);
        expect(after.records).toEqual(before.records);
        expect(after.damaged).toHaveLength(before.damaged.length + 1);
        expect(after.messages).toHaveLength(before.messages.length);
      }
    });

    test("is read without an exception with any value in any place, and its texts are found again", () => {
      const records = readRecords(bytes);
      for (let seed = 1; seed <= runs(8); seed++) {
        const odd = oddRecords(records, seed);
        reader.sniff(odd.map((record) => record.value));
        const transcript = transcriptOf(odd, reader);
        expect(columnsFromTranscript(transcript).length).toBeGreaterThan(0);
        for (const { kind, source, text } of transcript.messages.flatMap((message) => message.blocks)) {
          if (kind === "image") continue;
          const found = odd.filter(({ offset }) => offset === source.offset).map(({ value }) => reader.texts(value));
          const kept = text.value;
          const isFound = (one: string | undefined) => one !== undefined && (kept === undefined || one === kept);
          expect(found.some((texts) => isFound(texts[source.part]))).toBe(true);
        }
      }
    });

    test("loses, merges and links no items if ids are masked", () => {
      const read = (content: string) => readTranscript(Buffer.from(content), reader);
      const whole = read(text);
      for (const hides of maskings(whole, runs(2))) {
        const masked = read(withMaskedIds(text, hides.id));
        expect(columnsFromTranscript(masked).length).toBeGreaterThan(0);
        expect(maskedIdsIn(masked)).toEqual([]);
        expect(inventedLinks(masked, whole)).toEqual([]);
        if (hides.isOfCalls) expect(usagesOf(masked)).toEqual(usagesOf(whole));
        if (hides.isOfCalls || hides.isOfAll) expect(lostFrom(masked, whole)).toEqual([]);
      }
    });

    test("has columns that sum to the estimator's total and survive encoding", () => {
      const transcript = readTranscript(bytes, reader);
      const columns = columnsFromTranscript(transcript);
      const tokens = sizeTokenColumn(columns, "bytes-4");
      const blocks = transcript.messages.flatMap((message) => message.blocks);
      const total = [...blocks, ...transcript.overhead.map((entry) => ({ kind: "text" as const, text: entry.text }))]
        .map((block) => (block.kind === "image" ? IMAGE_TOKENS : bytesOverFour(block.text.bytes)))
        .reduce((sum, size) => sum + size, 0);
      const inferred = tokens[columns.overheadRows - 1] ?? 0;
      expect(tokens.reduce((sum, size) => sum + size, 0)).toBe(total + inferred);
      expect(decodeColumns(encodeColumns(columns))).toEqual(columns);
    });

    test("has texts by reference that are found again", () => {
      const records = new Map<string, readonly string[]>();
      const { messages, overhead } = readTranscript(bytes, reader);
      const blocks = messages.flatMap((message) => message.blocks).filter(({ kind }) => kind !== "image");
      for (const { source, text } of [...blocks, ...overhead]) {
        if (text.value === undefined) continue;
        const { offset, length, part } = source;
        const key = `${offset}:${length}`;
        const found =
          records.get(key) ?? reader.texts(JSON.parse(bytes.subarray(offset, offset + length).toString("utf8")));
        records.set(key, found);
        expect(found[part]).toBe(text.value);
      }
    });
  });
}
