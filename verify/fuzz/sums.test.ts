import { describe, expect, it } from "vitest";
import {
  breakdownOfSession,
  contributorsOfSession,
  replaySession,
  toBreakdownAnswer,
} from "@/lib/queries/answers/session-answers";
import { sessionSummary } from "@/lib/queries/contract/schemas";
import { OpenedSession } from "@/lib/server/sessions/opened-session";
import { LocalRunner } from "@/lib/server/threads/local-runner";
import * as sums from "./sums";

const path = "public/samples/codex-sliding-window.jsonl";
const runner = new LocalRunner();
const answer = await runner.ingest({ path, fidelity: {}, accuracy: "own" });
const session = new OpenedSession(path, answer, runner);

/** Expects that the check accepts the right answer and refuses every wrong one. */
function expectJudgement<Answer>(check: (answer: Answer) => void, right: Answer, wrong: readonly Answer[]): void {
  expect(() => check(right)).not.toThrow();
  for (const one of wrong) expect(() => check(one)).toThrow();
}

describe("the checks of answers", () => {
  it("reject a wrong summary", () => {
    const { summary } = answer;
    const usage = (change: object) => ({ ...summary, usage: { ...summary.usage, ...change } });
    expectJudgement(sums.summary, sessionSummary.parse(summary), [
      usage({ input: -1 }),
      usage({ output: 0.5 }),
      usage({ cacheRead: 1e16 }),
      { ...summary, peakContext: null },
      { ...summary, lastContext: 2 ** 31 },
      { ...summary, requests: summary.messages.assistant + 1 },
      { ...summary, startedAt: "2101-01-01T00:00:00.000Z" },
      { ...summary, startedAt: "0001-01-01T00:00:00.000Z" },
      { ...summary, endedAt: "1999-01-01T00:00:00.000Z" },
      { ...summary, endedAt: null },
      { ...summary, contextWindow: { tokens: 0, source: "recorded" } },
    ]);
  });

  it("reject columns that disagree with the summary", () => {
    const { summary } = answer;
    const check = (one: typeof summary) => sums.columns(session.columns, one);
    expectJudgement(check, summary, [
      { ...summary, usage: { ...summary.usage, input: (summary.usage.input ?? 0) + 1 } },
    ]);
  });

  it("reject a breakdown that does not sum to its window", async () => {
    const right = toBreakdownAnswer(await breakdownOfSession(session, { at: "last" }));
    const [first, ...others] = right.categories;
    if (first === undefined) throw new Error("a sample with overhead");
    expectJudgement(sums.breakdown, right, [
      { ...right, categories: others },
      { ...right, categories: [{ ...first, tokens: first.tokens + 1 }, ...others] },
      { ...right, window: { ...right.window, tokens: right.window.tokens + 1 } },
    ]);
  });

  it("reject a replay whose metrics disagree with its series", async () => {
    const right = await replaySession(session, { policy: "custom", window: 20_000 });
    const totals = (change: object) => ({ ...right, totals: { ...right.totals, ...change } });
    const [first, ...others] = right.series.contextTokens;
    expectJudgement(sums.replay, right, [
      totals({ peak: right.totals.peak + 1 }),
      totals({ final: 0 }),
      totals({ tokensSent: right.totals.tokensSent - 1 }),
      totals({ tokensRewritten: right.totals.tokensSent + 1 }),
      totals({ summaryCallTokens: -1 }),
      { ...right, series: { ...right.series, contextTokens: [(first ?? 0) + 1, ...others] } },
      { ...right, compactions: right.compactions.map((one) => ({ ...one, tokensAfter: -1 })) },
    ]);
  });

  it("reject contributors that do not sum to the context", async () => {
    const right = await contributorsOfSession(session, { at: "last", by: "tool", policy: "recorded", limit: 1000 });
    expectJudgement(sums.contributors, right, [
      { ...right, contributors: right.contributors.slice(1) },
      { ...right, context: right.context + 1 },
      { ...right, sent: right.sent * 2 },
    ]);
  });
});
