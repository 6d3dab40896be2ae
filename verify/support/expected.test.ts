import { expect, it } from "vitest";
import { TranscriptBuilder } from "@/lib/core/transcript/builder";
import { judge } from "./expected";

function transcript() {
  const builder = new TranscriptBuilder({ keepChars: 10, byteLength: (text) => text.length });
  builder.countRecord("user");
  builder.time(0, 1);
  builder.model("b");
  builder.model("a");
  const message = builder.message({ role: "assistant", origin: "response", line: 1, blocks: [] });
  builder.request({ message, line: 1, usage: { input: 5, cacheRead: 2 } });
  builder.request({ message, line: 2 });
  builder.boundary({ kind: "compaction", line: 3, trigger: "auto", message: 1, kept: [], clearedCalls: [] });
  builder.boundary({ kind: "clearing", line: 4, trigger: "auto", message: 1, kept: [], clearedCalls: [] });
  return builder.finish("chat", null);
}

it("a transcript agrees with its row if every judged field agrees", () => {
  const expected = {
    format: "chat",
    sessionId: null,
    startedAt: "1970-01-01T00:00:00Z",
    models: ["a", "b"],
    records: { total: 1, damaged: 0 },
    requests: { oneOf: [1, 7] },
    usage: { input: 5, cacheWrite: { na: true }, output: { na: true } },
    peakContext: { tokens: 7 },
    compactions: [{ line: 3, trigger: "auto", tokensBefore: null }],
  };
  expect(judge(transcript(), expected)).toEqual([]);
});

it.each([
  ["a number", { records: { total: 2 } }, "records.total: expected 2, got 1"],
  ["a number that must be absent", { usage: { input: { na: true } } }, 'usage.input: expected "nothing", got 5'],
  ["a number that is absent", { usage: { output: 0 } }, "usage.output: expected 0, got null"],
  [
    "a number that is none of the allowed ones",
    { requests: { oneOf: [2, 3] } },
    'requests: expected {"oneOf":[2,3]}, got 1',
  ],
  ["a missing model", { models: ["a"] }, 'models: expected ["a"], got ["a","b"]'],
  ["an id", { sessionId: "s" }, 'sessionId: expected "s", got null'],
  ["a compaction's number", { compactions: [{ line: 4 }] }, "compactions[0].line: expected 4, got 3"],
])("the comparison reports a difference in %s", (_name, expected, line) => {
  expect(judge(transcript(), expected)).toEqual([line]);
});

it("the comparison reports one difference if the number of compactions differs", () => {
  expect(judge(transcript(), { compactions: [] })).toHaveLength(1);
});
