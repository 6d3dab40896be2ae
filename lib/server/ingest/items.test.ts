import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { KINDS } from "@/lib/core/columns/columns";
import { columnsFromTranscript } from "@/lib/core/columns/from-transcript";
import { textEstimator } from "@/lib/core/tokens/item-estimator";
import type { Block } from "@/lib/core/transcript/model";
import { counters } from "@/lib/server/counters";
import { assistantLine, fixtureFiles, put, temporaryFolder, userLine } from "@/lib/server/testing/files";
import { countItems } from "./count-items";
import { CHANGED_TEXT, loadItems } from "./load-items";
import { readTranscript } from "./read-transcript";
import { RecordLoader } from "./record-loader";
import { SourceFile } from "./source-file";

const folder = temporaryFolder();
const EVERYTHING = { from: 0, to: Number.MAX_SAFE_INTEGER, maxChars: Number.MAX_SAFE_INTEGER };

const LENGTH = textEstimator("length", (text) => text.length);

function items(path: string, range = EVERYTHING) {
  const { transcript, reader } = readTranscript(path);
  return SourceFile.use(path, (file) => loadItems({ file, transcript, reader }, range));
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
        // Of encrypted content only its size is known: it is measured, and there is no text to show.
        return { text, block, hidden: JSON.stringify(record).includes('"encrypted_content"') };
      });
  });
}

describe("texts by reference", () => {
  it.each(fixtureFiles().map((file) => [file.split("/").slice(-3).join("/"), file]))(
    "are the texts that were measured: %s",
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
    "stand in the rows of the columns: %s",
    (_name, path) => {
      const { transcript, reader } = readTranscript(path);
      const columns = columnsFromTranscript(transcript);
      const contents = contentsOf(path);
      const loaded = items(path);
      expect(loaded.map((item) => item.index)).toEqual(Array.from({ length: columns.length }, (_, row) => row));
      expect(loaded.map((item) => item.kind)).toEqual(Array.from(columns.kind, (kind) => KINDS[kind]));
      const expected = contents.map(({ block, text }) => (block.kind === "image" ? 1600 : text.length));
      const counted = SourceFile.use(path, (file) => countItems({ file, transcript, reader }, LENGTH));
      expect(Array.from(counted).slice(columns.overheadRows)).toEqual(expected);
    },
  );

  it("parse a record once where its blocks are read in order", () => {
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

  it("is half-open and ends with the last row", () => {
    expect(items(path, { ...EVERYTHING, from: 1, to: 2 }).map((item) => item.index)).toEqual([1]);
    expect(items(path, { ...EVERYTHING, from: 2, to: 99 }).map((item) => item.index)).toEqual([2]);
    expect(items(path, { ...EVERYTHING, from: 5, to: 9 })).toEqual([]);
  });

  it("says how much of a text is left out, and cuts no character in half", () => {
    const [, user, assistant] = items(path, { from: 0, to: 3, maxChars: 10 });
    expect(user).toMatchObject({ text: "aaaaaaaaaa", truncated: 990 });
    expect(assistant).toMatchObject({ text: "bbbbbbbbb", truncated: 502 });
  });

  it("shows a placeholder where the file was rewritten, and the rest", () => {
    const { transcript, reader } = readTranscript(path);
    writeFileSync(path, "#".repeat(4000));
    const loaded = SourceFile.use(path, (file) => loadItems({ file, transcript, reader }, EVERYTHING));
    expect(loaded.map((item) => item.text)).toEqual(["", CHANGED_TEXT, CHANGED_TEXT]);
  });
});
