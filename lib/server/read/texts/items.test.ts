import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { MessageMeasures } from "@/lib/agents/shared/server-profile";
import { KINDS } from "@/lib/core/columns/columns";
import { columnsFromTranscript } from "@/lib/core/columns/from-transcript";
import { textEstimator } from "@/lib/core/tokens/item-estimator";
import type { Block } from "@/lib/core/transcript/model";
import { counters } from "../../base/counters";
import { countItems, measureItems } from "../../testing/counted";
import { assistantLine, fixtureFiles, put, temporaryFolder, userLine } from "../../testing/files";
import { sharedCounter } from "../../tokens/exact-counter";
import type { KnownRows } from "../numbers/count-items";
import { estimatorOf } from "../numbers/estimators";
import { type ReadFile, readTranscript } from "../read-transcript";
import { SourceFile } from "../source-file";
import { itemPlaces, placedItems } from "./item-places";
import { CHANGED_TEXT, type ItemRange, loadItems } from "./load-items";
import { RecordLoader } from "./record-loader";

const folder = temporaryFolder();
const EVERYTHING = { from: 0, to: Number.MAX_SAFE_INTEGER, maxChars: Number.MAX_SAFE_INTEGER };

const LENGTH = textEstimator("length", (text) => text.length);

/** The items of a range, loaded by a thread from the index alone. */
function loaded(file: SourceFile, { transcript, reader }: Pick<ReadFile, "transcript" | "reader">, range: ItemRange) {
  const wanted = placedItems(columnsFromTranscript(transcript), itemPlaces(transcript), range);
  return loadItems(file, reader, wanted, range);
}

function items(path: string, range = EVERYTHING) {
  const read = readTranscript(path);
  return SourceFile.use(path, (file) => loaded(file, read, range));
}

/** The texts of a file's rows as they are loaded one by one, and whether the file itself keeps them hidden. */
function contentsOf(path: string): { text: string; hidden: boolean; block: Block }[] {
  const { transcript, reader } = readTranscript(path);
  return SourceFile.use(path, (file) => {
    const loader = new RecordLoader(file, reader);
    return transcript.messages
      .flatMap((message) => message.blocks)
      .map((block) => {
        const { text, record } = loader.content(block.source);
        // Only the size of encrypted content is known: it is measured, and there is no text to show.
        const hidden = block.estimated === true || JSON.stringify(record).includes('"encrypted_content"');
        return { text, block, hidden };
      });
  });
}

describe("counting", () => {
  it("counts each text once in a process, even across files", async () => {
    const rule = await estimatorOf("o200k");
    const lines = [
      userLine("A question that is asked twice, in two files.", "u1"),
      assistantLine("An answer to it.", "a1", "u1"),
    ];
    const count = (name: string, more: readonly string[] = []) => {
      const path = put(folder, name, [...lines, ...more].join("\n"));
      const { transcript, reader } = readTranscript(path);
      SourceFile.use(path, (file) => countItems({ file, transcript, reader }, rule));
      return { ...sharedCounter("o200k").stats };
    };
    const first = count("first.jsonl");
    const second = count("second.jsonl");
    expect([second.texts - first.texts, second.counted - first.counted]).toEqual([2, 0]);
    const third = count("third.jsonl", [userLine("One more text.", "u2", "a1")]);
    expect([third.texts - second.texts, third.counted - second.counted]).toEqual([3, 1]);
  });

  it("counts an encrypted text as a quarter of its bytes", async () => {
    const rule = await estimatorOf("o200k");
    const reasoning = {
      type: "reasoning",
      summary: [{ type: "summary_text", text: "Short." }],
      encrypted_content: "x".repeat(4000),
    };
    const records = [
      { type: "session_meta", payload: { id: "s", cwd: "/", originator: "codex_cli_rs", cli_version: "0.42.0" } },
      {
        type: "response_item",
        payload: { type: "message", role: "user", content: [{ type: "input_text", text: "Go." }] },
      },
      { type: "response_item", payload: reasoning },
    ];
    const at = "2026-01-01T00:00:00.000Z";
    const path = put(
      folder,
      "hidden.jsonl",
      records.map((record) => JSON.stringify({ timestamp: at, ...record })).join("\n"),
    );
    const { transcript, reader } = readTranscript(path);
    const tokens = SourceFile.use(path, (file) => countItems({ file, transcript, reader }, rule));
    expect(tokens.at(-1)).toBe(Math.ceil((3000 - 650) / 4));
  });
});

describe("texts of blocks", () => {
  it.each(fixtureFiles().map((file) => [file.split("/").slice(-3).join("/"), file]))(
    "have the measured sizes: %s",
    (_name, path) => {
      for (const { text, hidden, block } of contentsOf(path)) {
        if (hidden) continue;
        expect({ chars: text.length, bytes: Buffer.byteLength(text) }).toEqual({
          chars: block.text.chars,
          bytes: block.text.bytes,
        });
      }
    },
  );

  it.each(fixtureFiles().map((file) => [file.split("/").slice(-3).join("/"), file]))(
    "appear in the rows of the columns, with matching counts: %s",
    (_name, path) => {
      const { transcript, reader } = readTranscript(path);
      const columns = columnsFromTranscript(transcript);
      const contents = contentsOf(path);
      const loaded = items(path);
      expect(loaded.map((item) => item.index)).toEqual(Array.from({ length: columns.length }, (_, row) => row));
      expect(loaded.map((item) => item.kind)).toEqual(Array.from(columns.kind, (kind) => KINDS[kind]));
      const readable = ({ block, text }: (typeof contents)[number]) => text.length >= block.text.chars;
      const expected = contents.map((one) => {
        if (one.block.kind === "image") return 1600;
        return readable(one) ? one.text.length : Math.ceil(one.block.text.bytes / 4);
      });
      expect(contents.filter((one) => !readable(one) && !one.hidden)).toEqual([]);
      const counted = SourceFile.use(path, (file) => countItems({ file, transcript, reader }, LENGTH));
      expect(Array.from(counted).slice(columns.overheadRows)).toEqual(expected);
    },
  );

  it("are loaded with one parse per record if read in order", () => {
    const content = Array.from({ length: 50 }, (_, at) => ({ type: "text", text: `${"x".repeat(300)}${at}` }));
    const line = assistantLine("", "a1", "u1").replace('[{"type":"text","text":""}]', JSON.stringify(content));
    const path = put(folder, "many-blocks.jsonl", `${userLine("One.", "u1")}\n${line}\n`);
    const before = counters.recordsLoaded;
    expect(items(path)).toHaveLength(52);
    expect(counters.recordsLoaded - before).toBeLessThanOrEqual(2);
  });
});

describe("a range of items", () => {
  const path = put(
    folder,
    "range.jsonl",
    [userLine("a".repeat(1000), "u1"), assistantLine(`${"b".repeat(9)}😀${"c".repeat(500)}`, "a1", "u1")].join("\n"),
  );

  it("excludes its end, and stops at the last row", () => {
    expect(items(path, { ...EVERYTHING, from: 1, to: 2 }).map((item) => item.index)).toEqual([1]);
    expect(items(path, { ...EVERYTHING, from: 2, to: 99 }).map((item) => item.index)).toEqual([2]);
    expect(items(path, { ...EVERYTHING, from: 5, to: 9 })).toEqual([]);
  });

  it("reports how many characters are left out, and does not split a surrogate pair", () => {
    const [, user, assistant] = items(path, { from: 0, to: 3, maxChars: 10 });
    expect(user).toMatchObject({ text: "aaaaaaaaaa", truncated: 990 });
    expect(assistant).toMatchObject({ text: "bbbbbbbbb", truncated: 502 });
  });

  it("shows a placeholder for each text if the file was rewritten", () => {
    const { transcript, reader } = readTranscript(path);
    writeFileSync(path, "#".repeat(4000));
    const items = SourceFile.use(path, (file) => loaded(file, { transcript, reader }, EVERYTHING));
    expect(items.map((item) => item.text)).toEqual(["", CHANGED_TEXT, CHANGED_TEXT]);
  });
});

it("measures of added rows continue the measures of known rows", () => {
  const lines = [userLine("one", "u1"), userLine("two two", "u2", "u1"), userLine("three", "u3", "u2")];
  const path = put(folder, "lists.jsonl", lines.join("\n"));
  const { transcript, reader } = readTranscript(path);
  const lengths: MessageMeasures = (_, contents) => ({
    words: contents.map(({ text }) => text.split(" ").map((word) => word.length)),
  });
  const measured = (known?: KnownRows) =>
    SourceFile.use(path, (file) => measureItems({ file, transcript, reader }, lengths, known));
  const whole = measured();
  expect(whole["words.value"]).toEqual(Int32Array.of(3, 3, 3, 5));
  expect(measured({ rows: 3, numbers: whole })).toEqual(whole);
});

describe("a file with invalid bytes or record boundaries", () => {
  const meta =
    '{"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":"a","cli_version":"0.50.0","cwd":"/x"}}';
  const userRecord = (text: string, type = "input_text") =>
    `{"timestamp":"2026-01-01T00:00:01Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"${type}","text":"${text}"}]}}`;
  const latin1 = (...lines: string[]) => Buffer.from(lines.join(""), "latin1");

  it.each([
    [
      "a byte that is not UTF-8 in glued records",
      latin1(meta, userRecord("caf\u00e9"), userRecord("second")),
      ["caf\ufffd", "second"],
    ],
    [
      "a byte that is not UTF-8 before a lone carriage return",
      latin1(meta, "\r", userRecord("caf\u00e9"), "\r", userRecord("second")),
      ["caf\ufffd", "second"],
    ],
    [
      "a record after a cut one",
      latin1(meta, "\n", userRecord("first").slice(0, -20), userRecord("b\u00e9"), "\n"),
      ["b\ufffd"],
    ],
    ["a record after NULs", latin1(meta, "\n\0\0\0", userRecord("second"), "\n"), ["second"]],
    ["content of a type named constructor", latin1(meta, "\n", userRecord("hi", "constructor")), ["hi"]],
    ["a payload without a type", latin1(meta, "\n", '{"payload":{},"role":"r"}\n', userRecord("hi")), ["hi"]],
  ])("yields every text, and counts it when read again: %s", async (name, bytes, expected) => {
    const path = put(folder, `${name}.jsonl`, bytes);
    const rule = await estimatorOf("codex");
    const { transcript, reader } = readTranscript(path);
    const texts = items(path).flatMap(({ role, text }) => (role === "user" ? [text] : []));
    expect(texts).toEqual(expected);
    SourceFile.use(path, (file) => expect(countItems({ file, transcript, reader }, rule)).toBeDefined());
  });
});
