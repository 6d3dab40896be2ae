import { describe, expect, it } from "vitest";
import type { SessionSummary } from "@/lib/queries/contract/types";
import { sessionFacts, windowKind } from "./session-header";

const summary: SessionSummary = {
  file: "a.jsonl",
  format: "chat",
  agent: null,
  agentVersion: null,
  formatVersion: null,
  sessionId: null,
  title: null,
  project: null,
  branch: null,
  startedAt: "2026-01-01T10:00:00.000Z",
  endedAt: "2026-01-01T11:30:00.000Z",
  models: [],
  contextWindow: { tokens: 200_000, source: "default" },
  records: { total: 5, byType: {}, unknown: {}, damaged: [], damagedTotal: 3 },
  messages: { user: 0, assistant: 0, toolCalls: 0, toolResults: 0, orphanResults: 0, unansweredCalls: 0 },
  requests: 0,
  usage: { input: null, output: null, cacheRead: null, cacheWrite: null, reasoning: null },
  peakContext: null,
  lastContext: null,
  compactions: [],
  sidechains: 0,
  links: { agentId: null, parents: [], subagents: [] },
  problems: [
    { code: "damaged-line", line: 2, detail: null, count: 3 },
    { code: "orphan-result", line: 4, detail: "x", count: 2 },
  ],
};

describe("the session's facts", () => {
  it("come from the file", () => {
    expect(sessionFacts(summary)).toMatchObject({ agent: "chat", durationMs: 5_400_000, linesNotRead: 3, oddities: 2 });
  });

  it("have no duration if a time is missing or both are equal", () => {
    expect(sessionFacts({ ...summary, endedAt: null }).durationMs).toBeNull();
    expect(sessionFacts({ ...summary, endedAt: summary.startedAt }).durationMs).toBeNull();
  });

  it("state whether the window was measured, inferred or estimated", () => {
    expect((["recorded", "user", "known-model", "inferred", "default"] as const).map(windowKind)).toEqual([
      "measured",
      "measured",
      "inferred",
      "inferred",
      "estimated",
    ]);
  });
});
