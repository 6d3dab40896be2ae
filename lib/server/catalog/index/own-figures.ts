import type { RowBill } from "@/lib/api/contract";
import { QUARTER_MS } from "@/lib/core/base/time-zone";
import { BREAK_CAUSES } from "@/lib/core/cost/breaks";
import { dollarsOf } from "@/lib/core/cost/money";
import { classOf, REQUEST_CLASS } from "@/lib/core/transcript/request-keys";
import type { BreakSum } from "@/lib/questions/cost/cost";
import { FigureTable } from "@/lib/questions/cost/request-figures";

/** A session's requests as they are kept for the list. */
export interface KeptRequests {
  /** As in `RequestKeys`. */
  readonly classes: readonly number[];
  /** As `requestFigures` gives them. */
  readonly figures: Float64Array;
  /** When the session began, for requests without a time. */
  readonly startedAt: number;
}

/** Sums over requests that a session counts; `null` where none records the figure. */
export interface Summed {
  readonly requests: number;
  readonly compactions: number;
  readonly input: number | null;
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
  readonly output: number | null;
  /** Dollars of the requests that have a price; `null` where none has. */
  readonly priced: number | null;
  /** 1 where a request has no price. */
  readonly unpriced: number;
  readonly refetched: number | null;
  readonly refetchedTokens: number | null;
  readonly breaks: readonly BreakSum[];
}

/** The figures of one quarter of an hour. */
export interface QuarterSum extends Summed {
  /** Quarters of an hour since 1970, in UTC. */
  readonly quarter: number;
}

/** A session's part in sums over sessions: its requests but for those that other sessions count. */
export interface OwnFigures extends Summed {
  /** Requests of the main chain among them. */
  readonly chain: number;
  /** How many requests it begins with that other sessions count. */
  readonly inherited: number;
  /** Times of its first and last request in milliseconds; `null` without any. */
  readonly firstAt: number | null;
  readonly lastAt: number | null;
  /** By quarters of an hour in order; empty where all requests lie in one. */
  readonly quarters: readonly QuarterSum[];
  readonly bill: RowBill;
}

/** Figures of sessions that have no requests of their own. */
export const NO_FIGURES: Summed = {
  ...{ requests: 0, compactions: 0, input: null, cacheRead: null, cacheWrite: null, output: null },
  ...{ priced: null, unpriced: 0, refetched: null, refetchedTokens: null, breaks: [] },
};

/**
 * Sums up what a session counts.
 * @param elsewhere the rows that other sessions count, ascending
 * @param from the sessions that count them
 */
export function ownFigures(
  { classes, figures, startedAt }: KeptRequests,
  elsewhere: readonly number[],
  from: readonly string[],
): OwnFigures {
  const table = new FigureTable(figures);
  const away = new Set(elsewhere);
  const rows = Array.from({ length: table.rows }, (_, row) => row);
  const own = rows.filter((row) => !away.has(row));
  const isSubagents = (row: number) => classOf(classes, row) === REQUEST_CLASS.subagent;
  const times = timesOf(table, startedAt);
  const quarterOf = (row: number) => Math.floor((times[row] ?? startedAt) / QUARTER_MS);
  const byQuarter = new Map<number, number[]>();
  for (const row of own) {
    const known = byQuarter.get(quarterOf(row));
    if (known === undefined) byQuarter.set(quarterOf(row), [row]);
    else known.push(row);
  }
  const quarters = [...byQuarter].sort(([a], [b]) => a - b);
  const [chain, subagents] = [own.filter((row) => !isSubagents(row)), own.filter(isSubagents)];
  const ownTimes = own.map((row) => times[row] ?? startedAt);
  const inherited = rows.filter((row) => away.has(row) && !isSubagents(row));
  return {
    ...summed(table, own),
    chain: chain.length,
    inherited: own[0] ?? rows.length,
    firstAt: ownTimes.length === 0 ? null : ownTimes.reduce((first, at) => Math.min(first, at)),
    lastAt: ownTimes.length === 0 ? null : ownTimes.reduce((last, at) => Math.max(last, at)),
    quarters: quarters.length < 2 ? [] : quarters.map(([quarter, some]) => ({ quarter, ...summed(table, some) })),
    bill: {
      own: partOf(table, chain),
      inherited: inherited.length === 0 ? null : { ...partOf(table, inherited), from: [...from] },
      subagents: subagents.length === 0 ? null : { ...partOf(table, subagents), files: 0 },
    },
  };
}

/** What a session's subagents spent: those with files of their own, and those in its file. */
export function subagentsOf(own: OwnFigures, others: readonly OwnFigures[]): RowBill["subagents"] {
  const inFile = own.bill.subagents;
  const parts = [...(inFile === null ? [] : [inFile]), ...others.map(({ bill }) => bill.own)];
  if (parts.length === 0) return null;
  const usage = (name: keyof RowBill["own"]["usage"]) => plus(parts.map((part) => part.usage[name]));
  const isPriced = parts.every(({ requests, costUsd }) => requests === 0 || costUsd !== null);
  return {
    requests: parts.reduce((sum, { requests }) => sum + requests, 0),
    usage: {
      input: usage("input"),
      output: usage("output"),
      cacheRead: usage("cacheRead"),
      cacheWrite: usage("cacheWrite"),
      reasoning: usage("reasoning"),
    },
    costUsd: isPriced ? plus(parts.map(({ costUsd }) => costUsd)) : null,
    files: others.length,
  };
}

function plus(values: readonly (number | null)[]): number | null {
  return sumOf(values.map((value) => value ?? Number.NaN));
}

/** The time of every request; one without a time has that of the request before it. */
function timesOf(table: FigureTable, startedAt: number): Float64Array {
  const times = new Float64Array(table.rows);
  let before = startedAt;
  for (let row = 0; row < times.length; row++) {
    const at = table.get(row, "at");
    if (!Number.isNaN(at)) before = at;
    times[row] = before;
  }
  return times;
}

function summed(table: FigureTable, rows: readonly number[]): Summed {
  const sum = (name: Parameters<FigureTable["get"]>[1]) => sumOf(rows.map((row) => table.get(row, name)));
  const priced = sum("cost");
  return {
    requests: rows.length,
    compactions: sum("compactions") ?? 0,
    input: sum("input"),
    cacheRead: sum("cacheRead"),
    cacheWrite: sum("cacheWrite"),
    output: sum("output"),
    priced: priced === null ? null : dollarsOf(priced),
    unpriced: Number(rows.some((row) => Number.isNaN(table.get(row, "cost")))),
    refetched: sum("refetched"),
    refetchedTokens: sum("refetchedTokens"),
    breaks: breaksOf(table, rows),
  };
}

/** The sum of what is known; `null` where nothing is. */
function sumOf(values: readonly number[]): number | null {
  const known = values.filter((value) => !Number.isNaN(value));
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

function breaksOf(table: FigureTable, rows: readonly number[]): readonly BreakSum[] {
  return BREAK_CAUSES.flatMap((cause, code): BreakSum[] => {
    const missed = rows.filter((row) => table.get(row, "cause") === code);
    if (missed.length === 0) return [];
    const costs = missed.map((row) => table.get(row, "missedCost"));
    const cost = costs.some(Number.isNaN) ? null : dollarsOf(costs.reduce((sum, one) => sum + one, 0));
    const tokens = sumOf(missed.map((row) => table.get(row, "missedTokens"))) ?? 0;
    return [{ cause, count: missed.length, tokens, usd: cost }];
  });
}

/** A part of a bill. */
function partOf(table: FigureTable, rows: readonly number[]): RowBill["own"] {
  const { requests, input, output, cacheRead, cacheWrite, priced, unpriced } = summed(table, rows);
  const reasoning = sumOf(rows.map((row) => table.get(row, "reasoning")));
  const usage = { input, output, cacheRead, cacheWrite, reasoning };
  return { requests, usage, costUsd: unpriced === 1 ? null : priced };
}
