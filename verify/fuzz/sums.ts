import { sumOf } from "@/lib/core/base/numbers";
import { EXTRA, recordedContext, type SessionColumns } from "@/lib/core/columns/columns";
import type * as contract from "@/lib/queries/contract/schemas";

/** Checks of the numbers in an answer, beyond the types in the contract. Each check throws an error that names the fault. */

/** The largest possible context or recorded value. */
const MAX_TOKENS = 1_000_000_000;
const EARLIEST = "1970-01-01T00:00:00.000Z";
const LATEST = "2100-12-31T23:59:59.999Z";

function demand(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

function within(what: string, value: number | null | undefined, most = MAX_TOKENS): void {
  if (value === null || value === undefined) return;
  demand(Number.isInteger(value) && value >= 0 && value <= most, `${what} is ${value}`);
}

export function summary(answer: contract.SessionSummary): void {
  const { usage, requests, peakContext, lastContext, startedAt, endedAt, contextWindow } = answer;
  // Captured output may state totals beyond its requests, so a total has no limit of its own: `columns` checks its parts.
  for (const [key, value] of Object.entries(usage)) within(`usage.${key}`, value, Number.MAX_SAFE_INTEGER);
  within("peakContext", peakContext?.tokens);
  within("lastContext", lastContext, peakContext?.tokens ?? 0);
  within("contextWindow", contextWindow.tokens);
  demand(contextWindow.tokens > 0, "a window of 0 tokens");
  demand((peakContext === null) === (requests === 0), "a peak without requests");
  demand(requests <= answer.messages.assistant, "more requests than responses");
  demand((startedAt === null) === (endedAt === null), "a session that only begins or only ends");
  for (const at of [startedAt, endedAt, ...answer.compactions.map((one) => one.at ?? null)]) {
    demand(at === null || (at >= EARLIEST && at <= LATEST), `a time of ${at}`);
  }
  demand((startedAt ?? "") <= (endedAt ?? ""), "an end before the start");
  for (const { tokensBefore, tokensAfter, summaryTokens, durationMs } of answer.compactions) {
    for (const value of [tokensBefore, tokensAfter, summaryTokens]) within("a recorded compaction", value);
    within("a compaction's duration", durationMs, Number.MAX_SAFE_INTEGER);
  }
}

/** Checks that the columns and the summary agree on usage: that of the requests with a context, and of every pass. */
export function columns({ requests, boundaries, extra }: SessionColumns, { usage }: contract.SessionSummary): void {
  const whole = { requests, boundaries } as SessionColumns; // All fields that `recordedContext` reads.
  const counted = Array.from(requests.input, (_, index) => index).filter((index) => recordedContext(whole, index) > 0);
  for (const key of ["input", "cacheRead", "cacheWrite", "output"] as const) {
    const passes = extra[key].filter((_, row) => extra.kind[row] === EXTRA.pass);
    const known = [...counted.map((index) => requests[key][index] ?? -1), ...passes];
    demand(
      known.every((value) => value >= -1 && value <= MAX_TOKENS),
      `a ${key} out of range`,
    );
    const recorded = known.filter((value) => value >= 0);
    const sum = recorded.length === 0 ? null : sumOf(recorded);
    demand(sum === usage[key], `${key} sums to ${sum} in the columns, ${usage[key]} in the summary`);
  }
  for (const value of [...boundaries.tokensBefore, ...boundaries.tokensAfter])
    within("a boundary", value + 1, MAX_TOKENS + 1);
}

export function sparkline({ sparkline }: contract.SessionRow): void {
  for (const share of sparkline?.share ?? []) within("a sparkline's share", share, MAX_TOKENS * 1000);
  demand(
    (sparkline?.boundaries ?? []).every((place) => place >= 0 && place <= 1),
    "a boundary beside the sparkline",
  );
}

export function breakdown({ window, categories, total }: contract.Breakdown): void {
  const sum = sumOf(categories.map(({ tokens }) => tokens));
  demand(sum === window.tokens, `a breakdown sums to ${sum} of ${window.tokens}`);
  within("a breakdown's total", total?.tokens, 2 * MAX_TOKENS);
  for (const { id, tokens, parts } of categories) {
    // An agent's own buffer and the residual may be negative.
    if (id !== "autocompactBuffer" && id !== "residual") within(id, tokens, Number.MAX_SAFE_INTEGER);
    if (parts !== undefined) demand(sumOf(parts.map((part) => part.tokens)) === tokens, `the parts of ${id} differ`);
    for (const part of parts ?? []) within(`${id}.${part.id}`, part.tokens, 2 * MAX_TOKENS);
  }
}

export function replay({ series, totals: metrics, compactions, window, settings }: contract.ReplayResult): void {
  const { contextTokens: context, byCategory } = series;
  context.forEach((size, point) => {
    within(`the context at ${point}`, size, 2 * MAX_TOKENS);
    const sum = sumOf(Object.values(byCategory).map((column) => column[point] ?? Number.NaN));
    demand(sum === size, `the categories sum to ${sum} of ${size} at ${point}`);
  });
  for (const [id, column] of Object.entries(byCategory)) {
    for (const value of column) within(id, value, 2 * MAX_TOKENS);
  }
  const expected = {
    requests: context.length,
    final: context.at(-1) ?? 0,
    tokensSent: sumOf(context),
  };
  for (const [key, value] of Object.entries(expected)) {
    const reported = metrics[key as keyof typeof expected]; // The keys are those of `expected`.
    demand(reported === value, `${key} is ${reported}, by the series ${value}`);
  }
  // The answer does not say which requests lack usage: their estimates may be in the peak or not.
  const before = compactions.map(({ tokensBefore }) => tokensBefore);
  const { peak, requestsOverWindow } = metrics;
  demand(peak === 0 || context.includes(peak) || before.includes(peak), `no context is as large as the peak, ${peak}`);
  for (const size of before) demand(size <= peak, `a context of ${size} before a compaction exceeds the peak, ${peak}`);
  demand(
    requestsOverWindow > 0 === peak > window.tokens,
    `${requestsOverWindow} contexts above the window, peak ${peak}`,
  );
  totals(metrics);
  for (const one of compactions) {
    for (const [key, value] of Object.entries(one)) {
      if (typeof value === "number") within(`a compaction's ${key}`, value, Number.MAX_SAFE_INTEGER);
    }
  }
  demand(
    Object.values(settings).every((value) => !Number.isNaN(value)),
    "a setting that is not a number",
  );
}

export function totals(all: contract.ReplayResult["totals"]): void {
  const { tokensSent, tokensRewritten, regret, bestUsd, ...metrics } = all;
  for (const [key, value] of Object.entries({ ...metrics, tokensSent, tokensRewritten })) {
    if (typeof value === "number") within(key, value, Number.MAX_SAFE_INTEGER);
  }
  demand(bestUsd === null || (Number.isFinite(bestUsd) && bestUsd >= 0), `bestUsd is ${bestUsd}`);
  demand(regret === null || (Number.isFinite(regret) && regret >= 0), `regret is ${regret}`);
  demand(tokensRewritten <= tokensSent, `${tokensRewritten} rewritten of ${tokensSent} sent`);
}

export function boundary({ items, states }: contract.BoundaryAnswer): void {
  for (const { before, after } of items) {
    within("an item before a compaction", before, 2 * MAX_TOKENS);
    within("an item after a compaction", after, 2 * MAX_TOKENS);
  }
  const counted = sumOf(Object.values(states).map((state) => state.items));
  demand(counted === items.length, `${counted} items by state of ${items.length}`);
}

/** Residency is a sum of shares, so rounding may change it. */
const ROUNDING = 1e-6;

export function contributors({ context, sent, contributors: rows }: contract.Contributors): void {
  const tokens = sumOf(rows.map((row) => row.tokens));
  demand(tokens === context, `contributors sum to ${tokens} of ${context}`);
  const residency = sumOf(rows.map((row) => row.residency));
  demand(
    Math.abs(residency - sent) <= Math.max(1, sent * ROUNDING),
    `contributors sum to ${residency} of ${sent} sent`,
  );
  for (const row of rows) demand(row.tokens >= 0 && row.residency >= 0, `a contributor of ${row.tokens} tokens`);
}
