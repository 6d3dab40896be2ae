import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { binary, brokenText, damaged, deep, hugeNumbers, inheritedKeys, longLine, windowsFile } from "./lines";
import { HOSTILE_TEXT, hostileClaudeCode, hostileCodex } from "./markup";
import { jsonl } from "./records";
import { brokenTree, manyBlocks, oddTimes, unknownRecords } from "./structures";
import { wrongCodexTypes, wrongTypes } from "./wrong-types";

/** A file that no agent writes, but that must be read anyway. */
export interface HostileFile {
  readonly name: string;
  /** The oddity of the file. */
  readonly about: string;
  /** The file in pieces, so that a large one is never held in memory. */
  readonly parts: () => Iterable<string | Buffer>;
}

/** All hostile files. */
export const HOSTILE_FILES: readonly HostileFile[] = [
  file("empty.jsonl", "no bytes at all", () => []),
  file("blank.jsonl", "line ends only", () => ["\n\r\n\n   \n"]),
  file("binary.jsonl", "3 MB that are not text", () => [binary(3_000_000)]),
  file("long-line.jsonl", "one line of 10 MB", () => longLine(10_000_000)),
  file("damaged-lines.jsonl", "20,000 lines that are not records", () => damaged(20_000)),
  file("deep.jsonl", "200,000 levels within a record", () => deep(200_000)),
  file("inherited-keys.jsonl", "__proto__, constructor and their like as keys, ids, tools", inheritedKeys),
  file("markup.jsonl", "HTML, Markdown, escapes and overrides in every text field", () =>
    jsonl(hostileClaudeCode(HOSTILE_TEXT)),
  ),
  file("rollout-markup.jsonl", "the same in a Codex rollout", () => jsonl(hostileCodex(HOSTILE_TEXT))),
  file("broken-text.jsonl", "NUL, lone surrogates, bytes that are not UTF-8", brokenText),
  file("windows.jsonl", "byte order mark, CR LF, no final line end", () => [windowsFile(hostileClaudeCode("plain"))]),
  file("huge-numbers.jsonl", "1e999, 2^53+1, negative and fractional tokens", hugeNumbers),
  file("wrong-types.jsonl", "every field with a value of every wrong type", () => jsonl(wrongTypes())),
  file("rollout-wrong-types.jsonl", "the same in a Codex rollout", () => jsonl(wrongCodexTypes())),
  file("many-blocks.jsonl", "records of 20,000 content blocks", () => jsonl(manyBlocks(20_000))),
  file("unknown-records.jsonl", "2,000 kinds of records that nobody knows", () => jsonl(unknownRecords())),
  file("odd-times.jsonl", "times that are none", () => jsonl(oddTimes())),
  file("broken-tree.jsonl", "parents in circles, and 3,000 children of one", () => jsonl(brokenTree())),
];

function file(name: string, about: string, parts: HostileFile["parts"]): HostileFile {
  return { name, about, parts };
}

export async function writeHostile({ parts }: HostileFile, path: string): Promise<void> {
  const out = createWriteStream(path);
  for (const part of parts()) if (!out.write(part)) await once(out, "drain");
  out.end();
  await finished(out);
}
