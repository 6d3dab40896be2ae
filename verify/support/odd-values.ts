import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { Transcript } from "@/lib/core/transcript/model";
import type { Reader } from "@/lib/core/transcript/reader";
import { readRecords } from "./read";

/** Values in place of expected ones. */
const ODD_VALUES: readonly unknown[] = [null, -1.5, "odd", [null, 1, {}], { type: 5 }, { toString: 1 }, "constructor"];

/** Every copy of a value in which one part, at any depth, is replaced by an odd value. */
function* withOnePartReplaced(value: unknown, depth = 0): Generator<unknown> {
  if (depth > 0) yield* ODD_VALUES;
  if (typeof value !== "object" || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    for (const replaced of withOnePartReplaced(part, depth + 1)) {
      if (Array.isArray(value)) yield value.with(Number(key), replaced);
      else yield { ...value, [key]: replaced };
    }
  }
}

function transcriptOfOne(reader: Reader, value: Readonly<Record<string, unknown>>, keepChars: number): Transcript {
  const builder = new TranscriptBuilder({ keepChars, byteLength: (text) => text.length });
  const parser = reader.parse(builder);
  parser.record({ value, line: 1, offset: 0, length: 1 });
  parser.end();
  return builder.finish(reader.format, null);
}

/**
 * Checks every record of a folder's fixtures by itself, with an odd value in every place in turn: it is read and counted once, and its texts are
 * found again.
 */
export function checkOddValues(reader: Reader, folder: string): void {
  const fixtures = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  it.for(fixtures)("%s: a record with an odd value anywhere is read and counted once", (name) => {
    const wrong: unknown[] = [];
    for (const record of readRecords(readFileSync(join(folder, name)))) {
      for (const odd of withOnePartReplaced(record.value)) {
        // Replacing below the top leaves the record an object.
        const value = odd as Readonly<Record<string, unknown>>;
        const transcript = transcriptOfOne(reader, value, 0);
        const blocks = transcript.messages.flatMap((message) => message.blocks);
        const isFound = blocks.length === 0 || reader.texts(value).length === blocks.length;
        if (transcript.records.total !== 1 || !isFound) wrong.push(value);
      }
    }
    expect(wrong).toEqual([]);
  });
}

/**
 * Checks that a call nested too deep for the stack keeps its place, without a size.
 * @param record makes a record that holds a call with the id `t` and these arguments
 */
export function checkDeepNesting(reader: Reader, record: (input: unknown) => Readonly<Record<string, unknown>>): void {
  it("a call that is nested too deep for the stack keeps its place, without a size", () => {
    let input: unknown = 1;
    for (let depth = 0; depth < 200_000; depth++) input = [input];
    const { messages } = transcriptOfOne(reader, record(input), 10);
    expect(messages[0]?.blocks).toMatchObject([{ kind: "tool_call", callId: "t", text: { chars: 0 } }]);
  });
}
