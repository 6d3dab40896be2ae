import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { RequestPoint } from "@/lib/core/transcript/model";
import { usageTotals } from "@/lib/core/transcript/totals";
import { readTranscript } from "@/verify/support/read";
import { claudeCodeReader } from "./reader";

const FIXTURES = path.join(import.meta.dirname, "../fixtures");
const bytesOf = (file: string) => readFileSync(path.join(FIXTURES, file));
const read = (file: string) => readTranscript(bytesOf(file), claudeCodeReader);
const costOf = (requests: readonly Pick<RequestPoint, "usage">[]) =>
  requests.reduce((sum, { usage }) => sum + (usage?.ownCost ?? 0), 0);

describe("a captured stream", () => {
  it("divides the output and cost stated in its result among its requests", () => {
    const transcript = read("captured-stream.jsonl");
    expect(usageTotals(transcript)).toMatchObject({
      requests: 2,
      usage: { cacheRead: 20_000, cacheWrite: 20_300, output: 240 },
    });
    expect(costOf(transcript.requests)).toBeCloseTo(0.0861, 10);
    expect(transcript.requests.every(({ usage }) => (usage?.output ?? 0) > 2)).toBe(true);
    expect(transcript).toMatchObject({ recordedWindow: 200_000, agentVersion: "2.1.40", project: "/home/ada/shop" });
    expect(transcript.problems).toEqual([]);
  });

  it("counts a response once when partial messages repeat its usage", () => {
    const { requests } = read("captured-runs.jsonl");
    expect(requests.map(({ usage }) => usage?.output)).toEqual([60, 40, 20]);
  });

  it("subtracts the first result of a process from its second", () => {
    const transcript = read("captured-runs.jsonl");
    expect(costOf(transcript.requests)).toBeCloseTo(0.097, 10);
    expect(costOf([...transcript.requests, ...transcript.extraRequests])).toBeCloseTo(0.10265, 10);
  });

  it("counts every result in full when each comes from its own process", () => {
    const [init, answer, result] = JSON.parse(bytesOf("captured-list.json").toString("utf8"));
    const again = { ...answer, uuid: "again", message: { ...answer.message, id: "msg_f2" } };
    const records = [init, answer, result, init, again, { ...result, uuid: "end" }];
    const text = records.map((record) => JSON.stringify(record)).join("\n");
    const transcript = readTranscript(Buffer.from(text), claudeCodeReader);
    expect(usageTotals(transcript)).toMatchObject({ requests: 2, usage: { output: 14 } });
    expect(costOf(transcript.requests)).toBeCloseTo(0.09, 10);
  });

  it("states its output as a lower bound if it ends without a result", () => {
    const lines = bytesOf("captured-stream.jsonl").toString("utf8").trim().split("\n");
    const transcript = readTranscript(Buffer.from(lines.slice(0, -1).join("\n")), claudeCodeReader);
    expect(usageTotals(transcript).usage.output).toBe(3);
    expect(transcript.messages.filter(({ partialOutput }) => partialOutput === true)).toHaveLength(2);
  });

  it("states its cost as a lower bound if the result has less input than the responses", () => {
    const lines = bytesOf("captured-stream.jsonl").toString("utf8").trim().split("\n");
    const result = { ...JSON.parse(lines.at(-1) ?? ""), subtype: "error_during_execution", is_error: true };
    const none = { input_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0, output_tokens: 0 };
    for (const stated of [
      { usage: none, modelUsage: {}, total_cost_usd: 0 },
      { usage: { ...none, input_tokens: 1 }, modelUsage: { "claude-sonnet-4-5": { inputTokens: 1, costUSD: 0.01 } } },
      { usage: undefined, modelUsage: undefined, total_cost_usd: 0 },
      { usage: undefined, modelUsage: undefined, total_cost_usd: 0.05 },
    ]) {
      const text = [...lines.slice(0, -1), JSON.stringify({ ...result, ...stated })].join("\n");
      const transcript = readTranscript(Buffer.from(text), claudeCodeReader);
      expect(transcript.requests.map(({ partialOutput }) => partialOutput)).toEqual([true, true]);
      expect(costOf(transcript.requests)).toBeCloseTo(stated.total_cost_usd === 0.05 ? 0.05 : 0, 10);
      expect(transcript.extraRequests).toEqual([]);
    }
  });

  it("has a compaction and its summary, and the subagent that a call started", () => {
    const { boundaries, links } = read("captured-runs.jsonl");
    expect(boundaries).toMatchObject([
      { kind: "compaction", trigger: "manual", tokensBefore: 15_400, summaryLine: 14 },
    ]);
    expect(links.subagents).toEqual([{ agentId: "toolu_d1", callId: "toolu_d1", isInFile: true }]);
  });
});

describe("a result alone", () => {
  it("has its answer, but no context size from its summed usage", () => {
    const transcript = read("captured-result.json");
    expect(transcript.messages.map(({ blocks }) => blocks[0]?.text.value)).toEqual(["The tests pass."]);
    expect(transcript.requests.map(({ usage }) => usage)).toEqual([undefined]);
    expect(costOf(transcript.extraRequests)).toBeCloseTo(0.09576, 10);
    expect(transcript.extraRequests.map(({ kind, point }) => [kind, point])).toEqual([
      ["pass", 0],
      ["pass", 0],
    ]);
    expect(usageTotals(transcript)).toMatchObject({ usage: { input: 309, output: 322 }, peak: null });
  });
});

it.each([
  ["Cursor's", [{ type: "system", subtype: "init", apiKeySource: "login", session_id: "s", model: "Composer" }]],
  [
    "Droid's",
    [
      { type: "system", subtype: "init", session_id: "s", tools: ["Read"], model: "claude-sonnet-4-5" },
      { type: "message", role: "user", id: "m", text: "hi", session_id: "s" },
    ],
  ],
  ["Amp's", [{ type: "system", subtype: "init", session_id: "T-1", tools: ["Bash"], mcp_servers: [] }]],
  ["Qwen Code's", [{ type: "system", subtype: "init", session_id: "s", tools: [], qwen_code_version: "0.1.0" }]],
])("%s imitation of the stream is not recognised", (_name, head) => {
  expect(claudeCodeReader.sniff(head)).toBe(false);
});
