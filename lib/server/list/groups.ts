import type { Facet, PlaceFacet } from "@/lib/core/base/facet-keys";
import { MISS_CAUSES } from "@/lib/core/cost/cache-misses";
import type { SessionFacets, SessionSums } from "@/lib/queries/contract/schemas";
import { withUnpriced } from "@/lib/queries/wire/least";
import {
  type IndexColumns,
  type KnownMiss,
  knownMiss,
  modelsIn,
  type NumberName,
  type Places,
} from "./index/index-columns";
import type { Summed } from "./index/own-metrics";
import { compareText } from "./relations/relations";

/** Sessions by a shared value. A session of several models is in the group of each. */
export interface Groups {
  /** The shared value of every group. */
  readonly values: readonly (string | null)[];
  readonly places: Places;
  /** The group of each place. */
  readonly groups: Uint32Array;
  /** The summed row of each place: see `SummedRows`. Default: that of the whole session. */
  readonly rows?: Uint32Array;
}

/** All sessions in one group. */
export function together(places: Places, rows?: Uint32Array): Groups {
  return { values: [null], places, groups: new Uint32Array(places.length), ...(rows && { rows }) };
}

/** The sessions by a facet's values. Sessions without a model are in no group of models. */
export function groupsBy(
  columns: IndexColumns,
  places: Places,
  facet: Exclude<Facet, "day" | PlaceFacet> | "state",
  rows?: Uint32Array,
): Groups {
  const { codes, values } = columns.text(facet === "model" ? "models" : facet);
  const groups = new Uint32Array(places.length);
  for (let at = 0; at < places.length; at++) groups[at] = codes[places[at] ?? 0] ?? 0;
  return facet === "model" ? apart(columns, places, groups, rows) : { values, places, groups, ...(rows && { rows }) };
}

/** The models, and the models in every list of a session. */
export function modelCodes(columns: IndexColumns): {
  readonly values: readonly string[];
  readonly codes: readonly (readonly number[])[];
} {
  const lists = columns.text("models").values.map(modelsIn);
  const values = [...new Set(lists.flat())];
  const codeOf = new Map(values.map((value, code) => [value, code]));
  return { values, codes: lists.map((list) => list.map((value) => codeOf.get(value) ?? 0)) };
}

/** Converts groups of model lists to groups of models. */
function apart(columns: IndexColumns, places: Places, lists: Uint32Array, rows?: Uint32Array): Groups {
  const { values, codes } = modelCodes(columns);
  const length = lists.reduce((sum, list) => sum + (codes[list]?.length ?? 0), 0);
  const [eachPlace, eachGroup, eachRow] = [new Uint32Array(length), new Uint32Array(length), new Uint32Array(length)];
  let count = 0;
  for (let at = 0; at < places.length; at++) {
    for (const code of codes[lists[at] ?? 0] ?? []) {
      eachPlace[count] = places[at] ?? 0;
      eachRow[count] = (rows ?? places)[at] ?? 0;
      eachGroup[count++] = code;
    }
  }
  return { values, places: eachPlace, groups: eachGroup, rows: eachRow };
}

/** Number of sessions per group. */
export function countsOf({ values, groups }: Groups): Uint32Array {
  const counts = new Uint32Array(values.length);
  for (let at = 0; at < groups.length; at++) {
    const group = groups[at] ?? 0;
    counts[group] = (counts[group] ?? 0) + 1;
  }
  return counts;
}

/** Groups without sessions whose requests are all counted elsewhere. */
export function withoutCopies(columns: IndexColumns, all: Groups): Groups {
  const copy = columns.number("copy");
  const { values, places, groups, rows } = all;
  const own = new Uint32Array(places.length);
  let count = 0;
  for (let at = 0; at < places.length; at++) if (copy[places[at] ?? 0] === 0) own[count++] = at;
  // Usually there are none.
  if (count === places.length) return all;
  const chosen = (of: Uint32Array) => own.subarray(0, count).map((at) => of[at] ?? 0);
  return { values, places: chosen(places), groups: chosen(groups), ...(rows && { rows: chosen(rows) }) };
}

/** Summed metrics of requests; a request that several sessions share is counted once. A sum is `null` if no session has the number. */
const ONCE = {
  requests: "counted_requests",
  compactions: "counted_compactions",
  compactingMs: "compacting_ms",
  input: "input",
  cacheRead: "cache_read",
  cacheWrite: "cache_write",
  output: "output",
  sent: "sent",
  neededAgain: "needed",
  neededAgainTokens: "needed_tokens",
  pricedUsd: "priced",
  unpriced: "unpriced",
  lowerBounds: "cost_is_least",
} as const satisfies Partial<Record<keyof SessionSums, NumberName>>;
type Once = keyof typeof ONCE;
const ONCE_KEYS = Object.keys(ONCE) as Once[]; // The keys as listed above.
/** Summed numbers of whole sessions. */
const EACH = ["bytes", "copy"] as const;
const SUMMED = ONCE_KEYS.length + EACH.length;

/** The summed rows: every session at its place, followed by parts of sessions. */
export interface SummedRows {
  /**
   * All metrics of a row are adjacent, so that one pass sums them. Unknown values are −0, which changes no sum: a sum of only unknown values stays
   * −0.
   */
  readonly metrics: Float64Array;
  /** Metrics of parts; the first follows the sessions' rows. */
  readonly parts: Float64Array;
  readonly sessions: number;
  /** Tokens sent uncached although a cache held them. */
  readonly missesAt: (row: number) => readonly KnownMiss[];
  /** Models of requests without a price. */
  readonly unpricedAt: (row: number) => readonly string[];
}

interface Kept {
  revision: number;
  metrics: Float64Array;
}
const keptOf = new WeakMap<IndexColumns, Kept>();

/** The summed metrics of every session, for the current columns. */
export function summed(columns: IndexColumns): SummedRows {
  const rest = {
    parts: new Float64Array(0),
    sessions: columns.ids.length,
    missesAt: (row: number) => columns.breaks[row] ?? [],
    unpricedAt: unpricedIn(columns),
  };
  const known = keptOf.get(columns) ?? { revision: -1, metrics: new Float64Array(0) };
  keptOf.set(columns, known);
  if (known.revision === columns.revision) return { metrics: known.metrics, ...rest };
  const length = columns.ids.length * SUMMED;
  if (known.metrics.length < length) known.metrics = new Float64Array(2 * length);
  const requests = columns.number("counted_requests");
  const names = [...ONCE_KEYS.map((key) => ONCE[key]), ...EACH];
  for (const [at, name] of names.entries()) {
    const numbers = columns.number(name);
    // A session without counted requests is not a lower bound.
    const isBound = name === "cost_is_least";
    for (let place = 0; place < columns.ids.length; place++) {
      const metric = numbers[place] ?? Number.NaN;
      const isNone = Number.isNaN(metric) || (isBound && !((requests[place] ?? 0) > 0));
      known.metrics[place * SUMMED + at] = isNone ? -0 : metric;
    }
  }
  known.revision = columns.revision;
  return { metrics: known.metrics, ...rest };
}

/** By session, the models of requests without a price. */
export function unpricedIn(columns: IndexColumns): SummedRows["unpricedAt"] {
  const { codes, values } = columns.text("unpriced_models");
  const lists = values.map(modelsIn);
  return (row) => lists[codes[row] ?? 0] ?? [];
}

/** A part of a session, summed in place of the session. */
export interface SummedPart {
  readonly place: number;
  readonly sum: Summed;
  /** True for the first part of its session, which also counts the numbers without a request, such as bytes. */
  readonly isFirst: boolean;
}

/** The rows of sessions followed by those of parts. */
export function withParts(columns: IndexColumns, parts: readonly SummedPart[]): SummedRows {
  const whole = summed(columns);
  if (parts.length === 0) return whole;
  const metrics = new Float64Array(parts.length * SUMMED);
  const [least, bytes, copy] = (["cost_is_least", "bytes", "copy"] as const).map((name) => columns.number(name));
  for (const [at, { place, sum, isFirst }] of parts.entries()) {
    const { input, cacheRead, cacheWrite } = sum;
    const sent = [input, cacheRead, cacheWrite].filter((part) => part !== null);
    const known: Readonly<Record<Once, number | null>> = {
      ...{ requests: sum.requests, compactions: sum.compactions, input, cacheRead, cacheWrite, output: sum.output },
      sent: sent.length === 0 ? null : sent.reduce((all, part) => all + part, 0),
      compactingMs: sum.compactingMs,
      ...{ neededAgain: sum.refetched, neededAgainTokens: sum.refetchedTokens, pricedUsd: sum.priced },
      ...{ unpriced: sum.unpriced, lowerBounds: least?.[place] ?? null },
    };
    const first = at * SUMMED;
    for (const [next, key] of ONCE_KEYS.entries()) {
      const metric = known[key];
      metrics[first + next] = metric === null || Number.isNaN(metric) ? -0 : metric;
    }
    metrics[first + ONCE_KEYS.length] = isFirst ? (bytes?.[place] ?? 0) : 0;
    metrics[first + ONCE_KEYS.length + 1] = isFirst ? (copy?.[place] ?? 0) : 0;
  }
  const breaks = parts.map(({ sum }) => sum.breaks.map(knownMiss));
  const sumAt = (row: number) => parts[row - whole.sessions]?.sum;
  return {
    ...whole,
    parts: metrics,
    missesAt: (row) => breaks[row - whole.sessions] ?? whole.missesAt(row),
    unpricedAt: (row) => (row < whole.sessions ? whole.unpricedAt(row) : (sumAt(row)?.unpricedModels ?? [])),
  };
}

/** Sums of every group: number of sessions, and group by group the sums of their metrics. */
export interface Tally {
  readonly values: readonly (string | null)[];
  readonly counts: Uint32Array;
  readonly sums: Float64Array;
  /** By group, models of requests without a price; most groups have none. */
  readonly unpriced: ReadonlyMap<number, ReadonlySet<string>>;
}

export function tallied(rows: SummedRows, all: Groups): Tally {
  const sums = new Float64Array(all.values.length * SUMMED).fill(-0);
  addUp(sums, rows, all);
  const { places, groups, rows: of = places } = all;
  const unpriced = new Map<number, Set<string>>();
  for (let at = 0; at < places.length; at++) addNames(unpriced, groups[at] ?? 0, rows.unpricedAt(of[at] ?? 0));
  return { values: all.values, counts: countsOf(all), sums, unpriced };
}

function addNames(unpriced: Map<number, Set<string>>, group: number, names: Iterable<string>): void {
  for (const name of names) {
    const known = unpriced.get(group) ?? new Set<string>();
    unpriced.set(group, known.add(name));
  }
}

/** Adds up the sums of finer groups. @param groupsOf the groups of a finer one */
export function gathered(
  fine: Tally,
  values: readonly (string | null)[],
  groupsOf: (fine: number) => readonly number[],
): Tally {
  const counts = new Uint32Array(values.length);
  const sums = new Float64Array(values.length * SUMMED).fill(-0);
  const unpriced = new Map<number, Set<string>>();
  for (const [from, count] of fine.counts.entries()) {
    for (const group of groupsOf(from)) {
      counts[group] = (counts[group] ?? 0) + count;
      addAt(sums, group * SUMMED, fine.sums, from * SUMMED);
      addNames(unpriced, group, fine.unpriced.get(from) ?? []);
    }
  }
  return { values, counts, sums, unpriced };
}

/** Sums over the sessions of every group, by group number. */
export function sumsOf({ counts, sums, unpriced: models }: Tally): (group: number) => SessionSums {
  return (group) => {
    const sumAt = (at: number) => sums[group * SUMMED + at] ?? -0;
    const once = Object.fromEntries(
      ONCE_KEYS.map((key, at) => [key, Object.is(sumAt(at), -0) ? null : sumAt(at)]),
    ) as Record<Once, number | null>; // Every key has one.
    const [bytes, copies] = [sumAt(ONCE_KEYS.length), sumAt(ONCE_KEYS.length + 1)];
    const unpriced = once.unpriced ?? 0;
    return {
      ...once,
      sessions: counts[group] ?? 0,
      copies: copies || 0,
      bytes: bytes || 0,
      unpriced,
      ...withUnpriced(models.get(group) ?? []),
      lowerBounds: once.lowerBounds ?? 0,
      costUsd: unpriced > 0 ? null : once.pricedUsd,
    };
  };
}

/** Adds the metrics of every session to the sums of its group. */
function addUp(
  sums: Float64Array,
  { metrics, parts, sessions }: SummedRows,
  { places, groups, rows = places }: Groups,
): void {
  for (let at = 0; at < places.length; at++) {
    const row = rows[at] ?? 0;
    const to = (groups[at] ?? 0) * SUMMED;
    if (row < sessions) addAt(sums, to, metrics, row * SUMMED);
    else addAt(sums, to, parts, (row - sessions) * SUMMED);
  }
}

function addAt(sums: Float64Array, to: number, metrics: Float64Array, from: number): void {
  for (let next = 0; next < SUMMED; next++) {
    sums[to + next] = (sums[to + next] ?? 0) + (metrics[from + next] ?? 0);
  }
}

function orNull(value: number | undefined): number | null {
  return value === undefined || Number.isNaN(value) ? null : value;
}

/** In output order. */
const CAUSES = [...MISS_CAUSES.entries()].sort(([, a], [, b]) => compareText(a, b));

/** Uncached tokens by cause, over the sessions of every group. */
export function missesOf(
  { missesAt }: SummedRows,
  { values, places, groups, rows = places }: Groups,
): (group: number) => SessionFacets["breaksByCause"] {
  const none = () => new Float64Array(values.length * CAUSES.length);
  const [counts, tokens, usd] = [none(), none(), none()];
  for (let at = 0; at < places.length; at++) {
    const first = (groups[at] ?? 0) * CAUSES.length;
    for (const one of missesAt(rows[at] ?? 0)) {
      add(counts, first + one.cause, one.count);
      add(tokens, first + one.cause, one.tokens);
      add(usd, first + one.cause, one.usd); // A sum without one of its prices is null.
    }
  }
  return (group) =>
    CAUSES.flatMap(([at, cause]) => {
      const sum = group * CAUSES.length + at;
      const count = counts[sum] ?? 0;
      return count === 0 ? [] : [{ cause, count, tokens: tokens[sum] ?? 0, usd: orNull(usd[sum]) }];
    });
}

function add(sums: Float64Array, at: number, value: number): void {
  sums[at] = (sums[at] ?? 0) + value;
}
