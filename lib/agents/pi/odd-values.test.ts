import fc from "fast-check";
import { expect, it } from "vitest";
import { columnsFromTranscript } from "@/lib/core/columns/from-transcript";
import { readRecords, readTranscript } from "@/verify/support/read";
import { piReader } from "./read/reader";

/** Entries whose fields have any type and whose parents have any id: nothing throws, and measured texts are found again. */
const id = fc.constantFrom("a", "b", "c", "d", "REDACTED", "", null, undefined, 7);
const anything = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constant(undefined));
const block = fc.record(
  {
    type: fc.constantFrom("text", "thinking", "toolCall", "image", "other", 3),
    text: anything,
    thinking: anything,
    id: anything,
    name: anything,
    arguments: anything,
    data: anything,
    redacted: fc.boolean(),
    thinkingSignature: anything,
  },
  { requiredKeys: ["type"] },
);
const message = fc.record(
  {
    role: fc.constantFrom(
      "user",
      "assistant",
      "toolResult",
      "bashExecution",
      "custom",
      "system",
      "branchSummary",
      "odd",
    ),
    content: fc.oneof(anything, fc.array(block, { maxLength: 4 })),
    usage: fc.oneof(
      anything,
      fc.record({ input: anything, cacheRead: fc.nat(), output: anything, reasoning: anything }),
    ),
    model: anything,
    toolCallId: id,
    sections: fc.oneof(anything, fc.dictionary(fc.string(), fc.option(fc.string()))),
    toolsAdded: fc.oneof(anything, fc.array(anything)),
    toolsRemoved: fc.oneof(anything, fc.array(fc.record({ name: anything }))),
    timestamp: anything,
  },
  { requiredKeys: ["role"] },
);
const entry = fc.record(
  {
    type: fc.constantFrom(
      "session",
      "message",
      "message",
      "message",
      "compaction",
      "custom_message",
      "branch_summary",
      "context_edit",
      "session_info",
      "label",
      "odd",
      5,
    ),
    id,
    parentId: id,
    timestamp: fc.oneof(fc.constant("2026-03-01T10:00:00.000Z"), anything),
    version: fc.constantFrom(1, 2, 3, "3", undefined),
    message: fc.oneof({ weight: 5, arbitrary: message }, { weight: 1, arbitrary: anything }),
    summary: anything,
    firstKeptEntryId: id,
    firstKeptEntryIndex: fc.oneof(fc.integer(), anything),
    tokensBefore: anything,
    systemMessage: fc.oneof(message, anything),
    targetId: id,
    replacement: anything,
    name: anything,
    cwd: anything,
    content: anything,
    customType: anything,
  },
  { requiredKeys: ["type"] },
);

it("the reader accepts any value in any field", () => {
  const property = fc.property(fc.array(entry, { maxLength: 14 }), (entries) => {
    const bytes = Buffer.from(entries.map((one) => JSON.stringify(one)).join("\n"));
    const transcript = readTranscript(bytes, piReader);
    expect(transcript.records.total).toBe(entries.length);
    expect(() => columnsFromTranscript(transcript)).not.toThrow();
    const records = new Map(readRecords(bytes).map((record) => [record.offset, record.value]));
    for (const { text, source } of transcript.messages.flatMap((one) => one.blocks)) {
      const found = piReader.texts(records.get(source.offset) ?? {})[source.part];
      expect(found).toHaveLength(text.chars);
      if (text.value !== undefined) expect(found).toBe(text.value);
    }
  });
  fc.assert(property, { numRuns: 500 });
});

it("the reader accepts a removed tool whose name is not text", () => {
  const message = { role: "system", content: "x", toolsRemoved: [{ name: { toString: 1 } }, {}, { name: "read" }] };
  const lines = [
    { type: "session", version: 3, id: "s", cwd: "/" },
    { type: "message", id: "a", parentId: null, message },
  ];
  const transcript = readTranscript(Buffer.from(lines.map((line) => JSON.stringify(line)).join("\n")), piReader);
  expect(transcript.records.total).toBe(2);
});

it("the reader reports a cycle of parents, and ends the chain there", () => {
  const at = { timestamp: "2026-03-01T10:00:00.000Z" };
  const lines = [
    { type: "session", version: 3, id: "s", cwd: "/", ...at },
    { type: "message", id: "a", parentId: "b", ...at, message: { role: "user", content: "x" } },
    { type: "message", id: "b", parentId: "a", ...at, message: { role: "user", content: "y" } },
  ];
  const transcript = readTranscript(Buffer.from(lines.map((line) => JSON.stringify(line)).join("\n")), piReader);
  expect(transcript.problems.map((problem) => problem.code)).toEqual(["parent-cycle"]);
  expect(transcript.messages).toHaveLength(2);
});
