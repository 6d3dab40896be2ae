import { QUARTER_MS } from "@/lib/core/base/time-zone";
import { classOf, isInherited, REQUEST_CLASS, type RequestClass } from "@/lib/core/columns/request-keys";
import { MISS_CAUSES } from "@/lib/core/cost/cache-misses";
import { dollarsOf } from "@/lib/core/cost/money";
import type { CostUsd, RowBill } from "@/lib/queries/contract/schemas";
import type { MissSum } from "@/lib/queries/cost/cost";
import { MetricTable, type RequestMetric } from "@/lib/queries/cost/request-metrics";
import { withUnpriced } from "@/lib/queries/wire/least";
import type { SessionPlace } from "../../read/numbers/request-places";

/** A session's stored requests for the list. */
interface KeptRequests {
  /** As in `RequestKeys`. */
  readonly classes: readonly number[];
  /** As `requestMetrics` gives them. */
  readonly metrics: Float64Array;
  /** As in `RequestKeys`. */
  readonly models?: readonly string[] | undefined;
  /** The places of the requests, by their codes; absent if all were made in one that is not known. */
  readonly places?: readonly SessionPlace[] | undefined;
  /** Start of the session, for requests without a time; NaN if the file states no time. */
  readonly startedAt: number;
  /** The sessions that the file names as its origin. */
  readonly parents?: readonly string[];
}

/** Sums over requests that a session counts; `null` if none records the number. */
export interface Summed {
  readonly requests: number;
  readonly compactions: number;
  readonly input: number | null;
  readonly cacheRead: number | null;
  readonly cacheWrite: number | null;
  readonly output: number | null;
  /** Dollars of the priced requests; `null` if none has a price. */
  readonly priced: number | null;
  /** 1 if a request has no price. */
  readonly unpriced: number;
  /** The models of these requests; absent if all have a price. */
  readonly unpricedModels?: readonly string[] | undefined;
  /** Recorded time of the compactions, in milliseconds; `null` if none is recorded. */
  readonly compactingMs: number | null;
  readonly refetched: number | null;
  readonly refetchedTokens: number | null;
  readonly breaks: readonly MissSum[];
}

/** Metrics of one quarter of an hour at one place. */
export interface PartSum extends Summed {
  /** Quarters of an hour since 1970, in UTC. */
  readonly quarter: number;
  /** Index of the place among the session's. */
  readonly place: number;
}

/** A session's part in sums over sessions: its requests except the ones that other sessions count. */
export interface OwnMetrics extends Summed {
  /** Requests of the main chain among them. */
  readonly chain: number;
  /** Number of leading requests that other sessions count. */
  readonly inherited: number;
  /** Times of its first and last request in milliseconds; `null` if none has a time. */
  readonly firstAt: number | null;
  readonly lastAt: number | null;
  /** By quarters of an hour, in order, and places; empty if all requests lie in one part. */
  readonly parts: readonly PartSum[];
  /** The places of its requests. */
  readonly places: readonly SessionPlace[];
  /** Own cost of the session: own requests, branches and summary calls. */
  readonly billed: CostUsd | null;
  readonly bill: RowBill;
}

type BillPart = NonNullable<RowBill["own"]>;

/** Metrics of sessions without requests of their own. */
export const NO_METRICS: Summed = {
  ...{ requests: 0, compactions: 0, input: null, cacheRead: null, cacheWrite: null, output: null },
  ...{ priced: null, unpriced: 0, compactingMs: null, refetched: null, refetchedTokens: null, breaks: [] },
};

/**
 * Sums a session's counted requests.
 * @param elsewhere the rows that other sessions count, ascending
 * @param from the sessions that count them
 */
export function ownMetrics(
  { classes, metrics, models = [], places = [], startedAt, parents = [] }: KeptRequests,
  elsewhere: readonly number[],
  from: readonly string[],
): OwnMetrics {
  const table = new MetricTable(metrics);
  const away = new Set(elsewhere);
  const rows = Array.from({ length: table.rows }, (_, row) => row);
  const codes = rows.map((row) => classOf(classes, row));
  // A request that the file marks as inherited is not its own, even if no listed file holds the original.
  const isOwn = (row: number) => !away.has(row) && !isInherited(codes[row]);
  const own = rows.filter(isOwn);
  const times = timesOf(table, startedAt);
  const quarterOf = (row: number) => Math.floor((times[row] ?? Number.NaN) / QUARTER_MS);
  // Codes of places that own requests were made in, in order of first appearance.
  const used = [...new Set(own.map((row) => table.get(row, "place")))];
  const byPart = new Map<string, { readonly quarter: number; readonly place: number; readonly rows: number[] }>();
  for (const row of own) {
    const [quarter, place] = [quarterOf(row), used.indexOf(table.get(row, "place"))];
    const key = `${quarter} ${place}`;
    const known = byPart.get(key);
    if (known === undefined) byPart.set(key, { quarter, place, rows: [row] });
    else known.rows.push(row);
  }
  const parts = [...byPart.values()].sort((a, b) => a.quarter - b.quarter || a.place - b.place);
  const ownTimes = own.flatMap((row) => (Number.isNaN(times[row]) ? [] : (times[row] ?? [])));
  const ofClass = (...names: readonly RequestClass[]) => {
    const wanted = names.map((name) => REQUEST_CLASS[name]);
    return own.filter((row) => wanted.includes(codes[row] ?? -1));
  };
  const partOf = (rows: readonly number[]) => partOfRows(table, rows, models);
  const isMadeByUnlisted = rows.some((row) => !away.has(row) && isInherited(codes[row]));
  const passes = ofClass("pass");
  const inherited = rows.filter((row) => !isOwn(row) && codes[row] !== REQUEST_CLASS.subagent);
  return {
    ...summed(table, own, models),
    chain: ofClass("own").length,
    inherited: own[0] ?? rows.length,
    firstAt: ownTimes.length === 0 ? null : ownTimes.reduce((first, at) => Math.min(first, at)),
    lastAt: ownTimes.length === 0 ? null : ownTimes.reduce((last, at) => Math.max(last, at)),
    parts:
      parts.length < 2
        ? []
        : parts.map(({ quarter, place, rows: some }) => ({ quarter, place, ...summed(table, some, models) })),
    places: used.flatMap((code) => places[code] ?? []),
    billed: partOf(ofClass("own", "pass", "branch", "compaction"))?.costUsd ?? null,
    bill: {
      own: partOf(ofClass("own", "pass")),
      inherited: withMore(partOf(inherited), { from: [...from, ...(isMadeByUnlisted ? parents : [])] }),
      branches: partOf(ofClass("branch")),
      compactions: partOf(ofClass("compaction")),
      subagents: withMore(partOf(ofClass("subagent")), { files: 0 }),
      passes: withMore(partOf(passes), { requests: passes.length }),
    },
  };
}

function withMore<More extends object>(part: BillPart | null, more: More): (BillPart & More) | null {
  return part === null ? null : { ...part, ...more };
}

/** Spending of a session's subagents: those with files of their own, and those in its file. */
export function subagentsOf(own: OwnMetrics, others: readonly OwnMetrics[]): RowBill["subagents"] {
  const inFile = own.bill.subagents;
  const ofOthers = others.flatMap(({ bill }) => [bill.own, bill.branches, bill.compactions]);
  const parts = [inFile, ...ofOthers].filter((part) => part !== null);
  return withMore(joinedParts(parts), { files: others.length });
}

/** Parts of bills as one; `null` if there are none. */
export function joinedParts(parts: readonly BillPart[]): BillPart | null {
  if (parts.length === 0) return null;
  const usage = (name: keyof BillPart["usage"]) => plus(parts.map((part) => part.usage[name]));
  return {
    requests: parts.reduce((sum, { requests }) => sum + requests, 0),
    usage: {
      input: usage("input"),
      output: usage("output"),
      cacheRead: usage("cacheRead"),
      cacheWrite: usage("cacheWrite"),
      reasoning: usage("reasoning"),
    },
    costUsd: costOfParts(parts.map(({ costUsd }) => costUsd)),
  };
}

/** Sum of costs; all parts are `null` if one of them has no price. */
function costOfParts(costs: readonly CostUsd[]): CostUsd {
  const isPriced = costs.every(({ total }) => total !== null);
  const sum = (of: (cost: CostUsd) => number | null) => (isPriced ? plus(costs.map(of)) : null);
  return {
    read: sum(({ read }) => read),
    write: sum(({ write }) => write),
    plain: sum(({ plain }) => plain),
    output: sum(({ output }) => output),
    total: sum(({ total }) => total),
    input: sum(({ input }) => input),
    lowerBound: isPriced ? costs.some(({ lowerBound }) => lowerBound === true) : null,
    ...withUnpriced(costs.flatMap(({ unpricedModels = [] }) => unpricedModels)),
  };
}

function plus(values: readonly (number | null)[]): number | null {
  return sumOf(values.map((value) => value ?? Number.NaN));
}

/**
 * The time of every request. A request without a time has the previous request's; the first ones have the time of the start, or the first known time.
 */
function timesOf(table: MetricTable, startedAt: number): Float64Array {
  const times = Float64Array.from({ length: table.rows }, (_, row) => table.get(row, "at"));
  let before = Number.isNaN(startedAt) ? (times.find((at) => !Number.isNaN(at)) ?? Number.NaN) : startedAt;
  for (let row = 0; row < times.length; row++) {
    const at = table.get(row, "at");
    if (!Number.isNaN(at)) before = at;
    times[row] = before;
  }
  return times;
}

function summed(table: MetricTable, rows: readonly number[], models: readonly string[]): Summed {
  const sum = (name: RequestMetric) => sumOf(rows.map((row) => table.get(row, name)));
  const costs = COSTS.map(sum).filter((cost) => cost !== null);
  return {
    requests: sum("isResponse") ?? 0,
    compactions: sum("compactions") ?? 0,
    input: sum("input"),
    cacheRead: sum("cacheRead"),
    cacheWrite: sum("cacheWrite"),
    output: sum("output"),
    priced: costs.length === 0 ? null : dollarsOf(costs.reduce((all, cost) => all + cost, 0)),
    unpriced: Number(rows.some((row) => Number.isNaN(table.get(row, "outputCost")))),
    ...withUnpriced(rows.flatMap((row) => models[table.get(row, "unpricedModel")] ?? [])),
    compactingMs: sum("compactingMs"),
    refetched: sum("refetched"),
    refetchedTokens: sum("refetchedTokens"),
    breaks: missesOf(table, rows),
  };
}

const COSTS = ["readCost", "writeCost", "plainCost", "outputCost"] as const;

/** The sum of known values; `null` without any. */
function sumOf(values: readonly number[]): number | null {
  const known = values.filter((value) => !Number.isNaN(value));
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

function missesOf(table: MetricTable, rows: readonly number[]): readonly MissSum[] {
  return MISS_CAUSES.flatMap((cause, code): MissSum[] => {
    const missed = rows.filter((row) => table.get(row, "cause") === code);
    if (missed.length === 0) return [];
    const costs = missed.map((row) => table.get(row, "missedCost"));
    const cost = costs.some(Number.isNaN) ? null : dollarsOf(costs.reduce((sum, one) => sum + one, 0));
    const tokens = sumOf(missed.map((row) => table.get(row, "missedTokens"))) ?? 0;
    return [{ cause, count: missed.length, tokens, usd: cost }];
  });
}

/** A part of a bill; `null` without requests. */
function partOfRows(table: MetricTable, rows: readonly number[], models: readonly string[]): BillPart | null {
  if (rows.length === 0) return null;
  const { requests, input, output, cacheRead, cacheWrite, unpriced, unpricedModels } = summed(table, rows, models);
  const sum = (name: RequestMetric) => sumOf(rows.map((row) => table.get(row, name)));
  const [read, write, plain, answers] = COSTS.map((name) => (unpriced === 1 ? null : sum(name)));
  const dollars = (...amounts: readonly (number | null | undefined)[]) =>
    amounts.some((amount) => amount == null)
      ? null
      : dollarsOf(amounts.reduce<number>((all, one) => all + (one ?? 0), 0));
  return {
    requests,
    usage: { input, output, cacheRead, cacheWrite, reasoning: sum("reasoning") },
    costUsd: {
      read: dollars(read),
      // If a file states no cache writes, that part is unknown; in the total it counts as 0.
      write: cacheWrite === null ? null : dollars(write),
      plain: dollars(plain),
      output: dollars(answers),
      total: dollars(read, write, plain, answers),
      input: dollars(read, write, plain),
      lowerBound: unpriced === 1 ? null : rows.some((row) => table.get(row, "isPartial") === 1),
      ...(unpricedModels && { unpricedModels }),
    },
  };
}
