import { appendFileSync, readFileSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeColumns } from "@/lib/core/columns/codec";
import { columnsDelta, decodeDelta, encodeDelta, withDelta } from "@/lib/core/columns/delta";
import { columnsFromTranscript } from "@/lib/core/columns/from-transcript";
import { runs } from "@/lib/core/testing/runs";
import type { Message, Transcript } from "@/lib/core/transcript/model";
import { counters } from "../base/counters";
import { assistantLine, fixtureFiles, put, temporaryFolder, userLine } from "../testing/files";
import { fileSessions } from "./file-sessions";
import { GrowingTranscript, type ReadOptions, readTranscript } from "./read-transcript";
import { SourceFile } from "./source-file";

const folder = temporaryFolder();
const FILES = fixtureFiles(/\.jsonl?$/);
const DOCUMENTS = FILES.filter((file) => file.endsWith(".json"));
/** Approximate number of lines after which a file is cut, spread over the whole file. */
const MAX_LINES = 4;
const SESSION = [userLine("One.", "u1"), assistantLine("Two.", "a1", "u1")];

/** The transcript, or the sentence with the reason for its absence. */
function outcome(read: () => { transcript: Transcript }): Transcript | string {
  try {
    return read().transcript;
  } catch (error) {
    return String(error);
  }
}

/** Result of reading the present file from the start; if its last line has an end, by the reader of finished files. */
function whole(path: string, options: ReadOptions = {}): Transcript | string {
  const ends = readFileSync(path).at(-1) === 0x0a;
  return ends ? outcome(() => readTranscript(path, options)) : grown(new GrowingTranscript(options), path);
}

const grown = (growing: GrowingTranscript, path: string) =>
  outcome(() => SourceFile.use(path, (file) => growing.read(file, true)));

let files = 0;

/**
 * Appends the file's bytes part by part and compares the continued reading with a full one. A reader is chosen after a few records, so that it
 * really continues: with fewer, they are read again.
 */
function growsAs(file: string, cuts: readonly number[], options: ReadOptions): void {
  const bytes = readFileSync(file);
  // A new file each time: one that is emptied and written again is put on the disk before it is closed.
  const path = put(folder, `growing-${files++}.jsonl`, "");
  const growing = new GrowingTranscript(options);
  const seen: { transcript: Transcript | string; text: string }[] = [];
  const points = cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b);
  for (const [index, to] of [...points, bytes.length].entries()) {
    appendFileSync(path, bytes.subarray(index === 0 ? 0 : points[index - 1], to));
    const transcript = grown(growing, path);
    const text = textOf(transcript);
    expect(text).toBe(textOf(whole(path, options)));
    const earlier = seen.at(-1)?.transcript;
    if (earlier !== undefined) expectDelta(earlier, transcript);
    seen.push({ transcript, text });
  }
  // The earlier part does not change when the file grows.
  for (const { transcript, text } of seen) expect(textOf(transcript)).toBe(text);
}

/** The delta for a page with the earlier columns produces the later ones. */
function expectDelta(earlier: Transcript | string, later: Transcript | string): void {
  if (typeof earlier === "string" || typeof later === "string") return;
  const [before, after] = [columnsFromTranscript(earlier), columnsFromTranscript(later)];
  const sent = decodeDelta(encodeDelta(columnsDelta(before, after)));
  const made = Buffer.from(encodeColumns(withDelta(before, sent)));
  // The matchers go through an array number by number, which takes longer than making the columns.
  expect(made.equals(encodeColumns(after))).toBe(true);
}

function lineEnds(file: string): number[] {
  const bytes = readFileSync(file);
  return [...bytes.keys()].filter((at) => bytes[at] === 0x0a);
}

/** Makes the messages again, since the transcript keeps the list that it made first. */
function messagesOf({ list }: Transcript): Message[] {
  return Array.from({ length: list.length }, (_, index) => list.message(index));
}

/** A transcript with its columns as a text, or the sentence. */
function textOf(outcome: Transcript | string): string {
  if (typeof outcome === "string") return outcome;
  const columns = Buffer.from(encodeColumns(columnsFromTranscript(outcome))).toString("base64");
  const now = { ...outcome, messages: messagesOf(outcome), columns };
  return JSON.stringify(now, (_key, part) => (part instanceof Map ? [...part] : part));
}

describe("continued reading of a growing file", () => {
  it.each(FILES.map((file) => [file.split("/").slice(-3).join("/"), file]))(
    "gives the transcript of the whole file, cut at line ends and at arbitrary bytes: %s",
    (_name, file) => {
      const ends = lineEnds(file);
      const step = Math.ceil(ends.length / MAX_LINES);
      const behindLines = ends.filter((_, index) => index % step === 0).map((end) => end + 1);
      growsAs(file, behindLines, { sniffRecords: 2 });
      const cuts = fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 5 });
      const sizes = fc.record({
        chunkBytes: fc.integer({ min: 1, max: 4000 }),
        sniffRecords: fc.integer({ min: 1, max: 9 }),
      });
      fc.assert(
        fc.property(cuts, sizes, (points, options) => growsAs(file, points, options)),
        { numRuns: runs(1) },
      );
    },
  );

  it("gives the transcript of the whole file, cut just before, at and after a line end", () => {
    // Documents are read whole every time.
    for (const file of FILES.filter((name) => name.endsWith(".jsonl")).filter((_, index) => index % 15 === 0)) {
      const cuts = lineEnds(file).flatMap((end) => [end - 3, end, end + 1]);
      growsAs(
        file,
        cuts.filter((at) => at > 0),
        { sniffRecords: 1 },
      );
    }
  });

  it("reads only the appended bytes", () => {
    const path = put(folder, "tail.jsonl", `${SESSION[0]}\n${SESSION[1]?.slice(0, 30)}`);
    const growing = new GrowingTranscript();
    grown(growing, path);
    const before = { ...counters };
    appendFileSync(path, `${SESSION[1]?.slice(30)}\n`);
    expect(textOf(grown(growing, path))).toBe(textOf(whole(path)));
    expect(counters.tailsRead - before.tailsRead).toBe(1);
    expect(counters.filesParsed - before.filesParsed).toBe(1); // the one that it is compared with
  });

  it("treats an incomplete last record as being written, and as damage once the file is finished", () => {
    const path = put(folder, "unfinished.jsonl", `${SESSION[0]}\n${SESSION[1]?.slice(0, 30)}`);
    const growing = SourceFile.use(path, (file) => new GrowingTranscript().read(file, true)).transcript;
    const finished = readTranscript(path).transcript;
    expect(growing.damaged).toEqual([]);
    expect(growing.problems).toContainEqual({ code: "unfinished-line", line: 2, count: 1 });
    expect(finished.damaged).toEqual([{ line: 2, bytes: 30, reason: "cut off" }]);
    expect(messagesOf(growing)).toEqual(messagesOf(finished));
    const unknown = SourceFile.use(path, (file) => new GrowingTranscript().read(file)).transcript;
    expect(textOf(unknown)).toBe(textOf(finished));
  });

  it("recognises the line end of a record that was complete without it", () => {
    const path = put(folder, "end.jsonl", SESSION.join("\r\n"));
    const growing = new GrowingTranscript();
    grown(growing, path);
    const parsed = counters.filesParsed;
    appendFileSync(path, "\r\n");
    const read = grown(growing, path);
    expect(counters.filesParsed).toBe(parsed);
    expect(textOf(read)).toBe(textOf(whole(path)));
  });
});

describe("continued reading of one session of several", () => {
  /**
   * Encodes a record by two numbers: its session, and the distance to the record that it follows. Sessions that follow each other's records are
   * one.
   */
  const lineOf = (session: number, back: number, index: number) =>
    userLine(`Text ${index}.`, `u${index}`, back > index ? null : `u${index - back}`).replace(
      '"s-1"',
      `"s-${session}"`,
    );
  const record = fc.tuple(fc.integer({ min: 1, max: 3 }), fc.oneof(fc.constant(99), fc.integer({ min: 1, max: 4 })));

  it("equals a full reading, even if another session appears in the file later", () => {
    let run = 0;
    const property = fc.property(
      fc.array(record, { minLength: 2, maxLength: 14 }),
      fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 4 }),
      (generated, points, sniffRecords) => {
        run += 1;
        const bytes = Buffer.from(
          `${generated.map(([session, back], index) => lineOf(session, back, index)).join("\n")}\n`,
        );
        const options = { session: "s-2", sniffRecords, name: "file" };
        const path = put(folder, `several-${run}.jsonl`, "");
        const growing = new GrowingTranscript(options);
        const cuts = [...points.map((cut) => cut % bytes.length).sort((a, b) => a - b), bytes.length];
        for (const [index, to] of cuts.entries()) {
          appendFileSync(path, bytes.subarray(index === 0 ? 0 : cuts[index - 1], to));
          const alone = put(folder, `alone-${run}-${index}.jsonl`, bytes.subarray(0, to));
          utimesSync(alone, 1000, 1000);
          const expected = bytes[to - 1] === 0x0a ? outcome(() => readTranscript(alone, options)) : undefined;
          const read = grown(growing, path);
          if (expected !== undefined) expect(textOf(read)).toBe(textOf(expected));
        }
      },
    );
    fc.assert(property, { numRuns: runs(50) });
  });

  it("reads only appended lines for the transcript and for the list of sessions", () => {
    const line = (session: string, uuid: string) => `${userLine("Text.", uuid).replace('"s-1"', `"${session}"`)}\n`;
    const path = put(
      folder,
      "work.jsonl",
      Array.from({ length: 60 }, (_, at) => line(`s-${at % 2}`, `u${at}`)).join(""),
    );
    const growing = new GrowingTranscript({ session: "s-1" });
    const look = () =>
      SourceFile.use(path, (file) => fileSessions(file, growing.read(file, true).transcript, "s-1", {}));
    expect(look()?.sessions.map(({ records }) => records)).toEqual([30, 30]);
    const before = { ...counters };
    appendFileSync(path, line("s-1", "u98") + line("s-0", "u99"));
    expect(look()?.sessions.map(({ records }) => records)).toEqual([31, 31]);
    expect({ ...counters }).toEqual({
      ...before,
      // Both readings add only the new lines.
      linesParsed: before.linesParsed + 4,
      recordsLookedThrough: before.recordsLookedThrough + 2,
      tailsRead: before.tailsRead + 1,
    });
  });
});

describe("a file is read from the start again", () => {
  it.each([
    [
      "if it was replaced",
      (path: string, content: string) => {
        writeFileSync(`${path}.new`, content);
        renameSync(`${path}.new`, path);
      },
    ],
    ["if it was rewritten", (path: string, content: string) => writeFileSync(path, content)],
  ])("%s", (_what, rewrite) => {
    const path = put(folder, "again.jsonl", `${SESSION.join("\n")}\n`);
    const growing = new GrowingTranscript();
    grown(growing, path);
    rewrite(path, `${userLine("Another.", "u9")}\n${assistantLine("Answer.", "a9", "u9")}\n${SESSION.join("\n")}\n`);
    expect(textOf(grown(growing, path))).toBe(textOf(whole(path)));
  });

  it("if it has shrunk", () => {
    const path = put(folder, "shrunk.jsonl", `${SESSION.join("\n")}\n`);
    const growing = new GrowingTranscript();
    grown(growing, path);
    writeFileSync(path, `${SESSION[0]}\n`);
    expect(textOf(grown(growing, path))).toBe(textOf(whole(path)));
  });

  it("if appended bytes join its last record", () => {
    const path = put(folder, "glued.jsonl", SESSION[0] ?? "");
    const growing = new GrowingTranscript();
    grown(growing, path);
    appendFileSync(path, ` ${SESSION[1]}`);
    expect(textOf(grown(growing, path))).toBe(textOf(whole(path)));
  });

  it("if it is a document", () => {
    const file = DOCUMENTS[0] ?? "";
    const path = put(folder, "document.json", readFileSync(file).subarray(0, 200));
    const growing = new GrowingTranscript();
    grown(growing, path);
    appendFileSync(path, readFileSync(file).subarray(200));
    const tails = counters.tailsRead;
    expect(textOf(grown(growing, path))).toBe(textOf(whole(path)));
    expect(counters.tailsRead).toBe(tails);
  });
});
