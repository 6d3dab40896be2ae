import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { TranscriptBuilder } from "@/lib/core/transcript/builder";
import { readRecords } from "../testing/read";
import { openClawReader } from "./reader";

const FOLDER = fileURLToPath(new URL("./fixtures/", import.meta.url));
const FIXTURES = readdirSync(FOLDER).filter((name) => name.endsWith(".jsonl"));

/** What may stand where something else was expected. */
const ODD_VALUES: readonly unknown[] = [null, "odd", [null, 1, { type: 5 }]];

/** Every copy of a value in which one part, at any depth, is replaced. */
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

it.for(FIXTURES)("%s: an odd value anywhere in a record is read, and counted as one record", (name) => {
  const records = readRecords(readFileSync(FOLDER + name));
  for (const record of records) {
    for (const odd of withOnePartReplaced(record.value)) {
      // Replacing below the top leaves the record an object.
      const value = odd as Readonly<Record<string, unknown>>;
      const builder = new TranscriptBuilder({ keepChars: 0, byteLength: (text) => text.length });
      const parser = openClawReader.parse(builder);
      parser.record({ ...record, value });
      parser.end();
      const transcript = builder.finish("openclaw", "openclaw");
      expect(transcript.records.total).toBe(1);
      const blocks = transcript.messages.flatMap((message) => message.blocks);
      if (blocks.length > 0) expect(openClawReader.texts(value)).toHaveLength(blocks.length);
    }
  }
});

it("a call nested deeper than the stack keeps its place, without a size", () => {
  let input: unknown = 1;
  for (let depth = 0; depth < 200_000; depth++) input = [input];
  const call = { type: "toolCall", id: "t", name: "read", arguments: input };
  const value = { type: "message", id: "a", message: { role: "assistant", content: [call] } };
  const builder = new TranscriptBuilder({ keepChars: 10, byteLength: (text) => text.length });
  const parser = openClawReader.parse(builder);
  parser.record({ value, line: 1, offset: 0, length: 1 });
  parser.end();
  const { messages } = builder.finish("openclaw", "openclaw");
  expect(messages[0]?.blocks).toMatchObject([{ kind: "tool_call", callId: "t", text: { chars: 0 } }]);
});
