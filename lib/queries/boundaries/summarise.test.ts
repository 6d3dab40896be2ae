import { expect, test } from "vitest";
import { drawTranscript } from "@/lib/core/testing/draw";
import { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { Transcript } from "@/lib/core/transcript/model";
import { sessionSummary } from "@/lib/queries/contract/schemas";
import { peakShare } from "@/lib/queries/wire/recorded-facts";
import { readSession } from "../testing/sessions";
import { summarise, withShortLists } from "./summarise";

test("a summary matches the contract; absent numbers are null, never 0", () => {
  const summary = summarise(drawTranscript("u10 a20"), "drawn.jsonl");
  expect(sessionSummary.parse(summary)).toEqual(summary);
  expect(summary).toMatchObject({
    requests: 0,
    usage: { input: null, output: null, cacheRead: null, cacheWrite: null, reasoning: null },
    peakContext: null,
    lastContext: null,
    startedAt: null,
    messages: { user: 1, assistant: 1, toolCalls: 0 },
  });
});

test("usage is summed over requests, and the peak names its request", () => {
  const summary = summarise(drawTranscript("u1 a1 u1 a1 @500 u1 a1 @300 u1 a1"), "drawn.jsonl");
  expect(summary).toMatchObject({
    requests: 2,
    requestsWithoutUsage: 2,
    usage: { input: 800, output: 2, cacheWrite: null },
    peakContext: { tokens: 500, request: 1 },
    lastContext: 300,
  });
});

function windowOf(given: Partial<Transcript>) {
  return summarise({ ...drawTranscript("u1 a1 @500"), ...given }, "drawn.jsonl").contextWindow;
}

test("the window is that of models that answered, not of models that failed", () => {
  const models = ["gpt-5.1-codex", "claude-sonnet-4-5"];
  const [failed, answered] = [
    { message: 1, line: 2, model: "gpt-5.1-codex" },
    { message: 1, line: 2, model: "claude-sonnet-4-5", usage: { input: 500 } },
  ];
  expect(windowOf({ models, requests: [failed, answered] })).toEqual({ tokens: 200_000, source: "known-model" });
  expect(windowOf({ models, requests: [failed] })).toEqual({ tokens: 400_000, source: "known-model" });
});

test.each([
  ["claude-opus-4-8", 1_000_000, "known-model"],
  ["claude-opus-5", 1_000_000, "known-model"],
  ["claude-fable-5-1", 1_000_000, "known-model"],
  ["claude-sonnet-5", 1_000_000, "known-model"],
  ["claude-opus-4-6[1m]", 1_000_000, "known-model"],
  ["us.anthropic.claude-sonnet-4-5-20250929-v1:0[1m]", 1_000_000, "known-model"],
  ["claude-haiku-4-5-20251001", 200_000, "known-model"],
  ["claude-sonnet-4-5-20250929", 200_000, "known-model"],
  ["claude-3.7-sonnet", 200_000, "known-model"],
  ["claude-sonnet-4-6", 200_000, "assumed"],
  ["claude-opus-4-6", 200_000, "assumed"],
  ["claude-acme", 200_000, "default"],
])("Claude Code runs %s in a window of %i tokens (%s)", (model, tokens, source) => {
  expect(windowOf({ agent: "claude-code", models: [model] })).toEqual({ tokens, source });
});

test("Codex's models have smaller windows than in the API, filled up to 95 %", () => {
  const codex = { agent: "codex", agentVersion: "0.142.2" };
  const known = { tokens: 258_400, whole: 272_000, source: "known-model" };
  expect(windowOf({ ...codex, models: ["gpt-5.5"] })).toEqual(known);
  expect(windowOf({ ...codex, models: ["gpt-5.3-codex-spark"] })).toMatchObject({ tokens: 121_600, whole: 128_000 });
  expect(windowOf({ ...codex, models: ["acme"] })).toEqual({ ...known, source: "default" });
  expect(windowOf({ ...codex, models: ["gpt-5.5"], recordedWindow: 353_400 })).toEqual({
    tokens: 353_400,
    whole: 372_000,
    source: "recorded",
  });
});

test("the agent's version determines the window if no source states one", () => {
  const given = { agent: "qwen-code", models: [] };
  expect(windowOf({ ...given, agentVersion: "0.12.0" })).toEqual({ tokens: 131_072, source: "default" });
  expect(windowOf({ ...given, agentVersion: "0.24.4" })).toEqual({ tokens: 200_000, source: "default" });
});

test("the size of a summary is null if the file holds no text of it", () => {
  const summary = summarise(drawTranscript("u100 a300 B s60 u10 a10 B s0 u10 a10"), "drawn.jsonl");
  expect(summary.compactions.map(({ summaryTokens }) => summaryTokens)).toEqual([60, null]);
});

test("a compaction without a stated trigger has the trigger that neighbouring records show", () => {
  const { session } = readSession("lib/agents/codex/fixtures/compact-commands.jsonl");
  expect(session.compactions.map(({ trigger, inferredTrigger }) => [trigger, inferredTrigger])).toEqual([
    ["unknown", "manual"],
    ["unknown", null],
    ["unknown", null],
  ]);
});

test("a subagent is listed with the item of the call that started it", () => {
  const builder = new TranscriptBuilder({ keepChars: 9, byteLength: (text) => text.length });
  const source = { line: 1, offset: 0, length: 1, part: 0 };
  const text = builder.text("x");
  const block = (kind: "text" | "tool_call", callId?: string) => ({ kind, text, source, ...(callId && { callId }) });
  builder.overhead({ category: "systemPrompt", name: "prompt", text, source });
  builder.message({ role: "user", origin: "typed", line: 1, blocks: [block("text")] });
  builder.message({
    role: "assistant",
    origin: "response",
    line: 2,
    blocks: [block("text", "c2"), block("tool_call", "c1"), block("tool_call", "c2")],
  });
  builder.subagent("a1", "c2");
  builder.subagent("a2", "gone");
  builder.subagent("a3");
  expect(summarise(builder.finish("f", null), "drawn.jsonl").links.subagents).toEqual([
    { agentId: "a1", callId: "c2", item: 5 },
    { agentId: "a2", callId: "gone", item: null },
    { agentId: "a3", callId: null, item: null },
  ]);
});

test("a summary lists the first hundred damaged lines, with the total number", () => {
  const builder = new TranscriptBuilder({ keepChars: 10, byteLength: (text) => text.length });
  for (let line = 1; line <= 250; line++)
    builder.damagedLine({ line, bytes: 3, reason: line % 2 ? "not JSON" : "cut off" });
  const summary = summarise(builder.finish("drawn", null), "damaged.jsonl");
  expect(summary.records.damaged).toHaveLength(250);
  const short = withShortLists(summary);
  expect(short.records.damaged).toHaveLength(100);
  expect(short.records.damagedTotal).toBe(250);
});

test("a summary has no peak share if only a lower bound of the window is known", () => {
  const summary = summarise(drawTranscript("u10 a20 @500"), "s.jsonl");
  const under = (source: "default" | "inferred") => peakShare({ ...summary, contextWindow: { tokens: 1000, source } });
  expect([under("default"), under("inferred")]).toEqual([(summary.peakContext?.tokens ?? 0) / 1000, null]);
});
