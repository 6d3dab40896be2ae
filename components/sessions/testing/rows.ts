import type { SessionChoices, SessionPage, SessionRow, SessionSummary } from "@/lib/queries/contract/types";
import type { Filters } from "../filters";
import { type RowView, toRowView } from "../row-view";

/** A summary of an empty session for tests, with overrides. */
export function aSummary(part: Partial<SessionSummary> = {}): SessionSummary {
  return {
    file: "run.jsonl",
    format: "codex",
    agent: null,
    agentVersion: null,
    formatVersion: null,
    sessionId: null,
    title: null,
    project: null,
    branch: null,
    startedAt: null,
    endedAt: null,
    models: [],
    contextWindow: { tokens: 200_000, source: "default" },
    records: { total: 0, byType: {}, unknown: {}, damaged: [], damagedTotal: 0 },
    messages: { user: 0, assistant: 0, toolCalls: 0, toolResults: 0, orphanResults: 0, unansweredCalls: 0 },
    requests: 1,
    usage: { input: null, output: null, cacheRead: null, cacheWrite: null, reasoning: null },
    peakContext: null,
    lastContext: null,
    compactions: [],
    sidechains: 0,
    links: { agentId: null, parents: [], subagents: [] },
    problems: [],
    ...part,
  };
}

export function aRow(part: Partial<SessionRow> = {}): SessionRow {
  return {
    id: "id",
    source: "source",
    sample: false,
    upload: false,
    name: "run.jsonl",
    title: part.summary?.title ?? null,
    startedAt: part.summary?.startedAt ?? null,
    variant: null,
    agent: null,
    project: null,
    bytes: 10,
    modifiedAt: null,
    summary: null,
    sparkline: null,
    error: null,
    errorCode: null,
    related: [],
    repeatedRequests: 0,
    ...part,
  };
}

/** A row ready for rendering; tests tell rows apart by `id`. */
export function aView(id: string, part: Partial<RowView> = {}): RowView {
  return { ...toRowView(aRow({ id }), () => undefined), ...part };
}

export function aPage(part: Partial<SessionPage> = {}): SessionPage {
  return { sessions: [], nextCursor: null, total: 0, bytes: 0, indexing: { done: 0, total: 0 }, revision: 0, ...part };
}

export const NO_FILTERS: Filters = {
  q: "",
  agent: [],
  project: [],
  model: [],
  version: [],
  compacted: null,
  near: null,
  problems: null,
  cost: null,
  where: [],
};

/** Facets without values, with overrides. */
export function someChoices(choices: Partial<SessionChoices["choices"]>): SessionChoices {
  const none = { sessions: 0, copies: 0, bytes: 0, requests: null, compactions: null, compactingMs: null, sent: null };
  const noTokens = {
    input: null,
    cacheRead: null,
    cacheWrite: null,
    output: null,
    neededAgain: null,
    neededAgainTokens: null,
  };
  return {
    total: { ...none, ...noTokens, costUsd: null, pricedUsd: null, unpriced: 0, lowerBounds: 0 },
    choices: {
      agent: [],
      project: [],
      model: [],
      version: [],
      state: [],
      compacted: [],
      near: [],
      faulty: [],
      cost: [],
      ...choices,
    },
  };
}
