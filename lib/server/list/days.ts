import { QUARTER_MS, ZoneDays } from "@/lib/core/base/time-zone";
import { withUnpriced } from "@/lib/queries/wire/least";
import type { IndexColumns } from "./index/index-columns";
import { NO_METRICS, type PartSum, type Summed } from "./index/own-metrics";

/** A session's counted requests of one day. */
export interface DayPart {
  readonly day: number;
  readonly sum: Summed;
}

/** The days of all sessions in a time zone, for the current columns. */
export interface Days {
  readonly timeZone: string;
  /** `null` stands for no known day. */
  readonly values: readonly (string | null)[];
  /** By session its only day; −1 for several days. */
  readonly only: Int32Array;
  /** The days of the others, in order. */
  readonly parts: ReadonlyMap<number, readonly DayPart[]>;
  /** Index of the day of a quarter of an hour. */
  readonly dayOf: (quarter: number) => number;
}

interface Kept {
  readonly zone: ZoneDays;
  readonly codes: Map<string | null, number>;
  revision: number;
  days: Days;
}

/** Maximum cached time zones. */
const MAX_ZONES = 16;
const daysByZone = new WeakMap<IndexColumns, Map<string, Kept>>();

/**
 * The days of requests. A session without requests of its own is on the day of its start. One without any time is on no day: its file's last change may
 * be a download.
 * @param timeZone a known name
 */
export function daysOf(columns: IndexColumns, timeZone: string): Days {
  const zones = daysByZone.get(columns) ?? new Map<string, Kept>();
  daysByZone.set(columns, zones);
  const known = zones.get(timeZone);
  if (known?.revision === columns.revision) return known.days;
  if (known === undefined && zones.size === MAX_ZONES) zones.clear();
  const { zone = new ZoneDays(timeZone), codes = new Map<string | null, number>() } = known ?? {};
  const days = computedDays(columns, timeZone, zone, codes);
  zones.set(timeZone, { zone, codes, revision: columns.revision, days });
  return days;
}

function computedDays(
  columns: IndexColumns,
  timeZone: string,
  zone: ZoneDays,
  codes: Map<string | null, number>,
): Days {
  const codeOf = (quarter: number) => {
    const day = Number.isNaN(quarter) ? null : zone.dayOf(quarter);
    const known = codes.get(day) ?? codes.size;
    codes.set(day, known);
    return known;
  };
  const only = new Int32Array(columns.ids.length);
  const parts = new Map<number, readonly DayPart[]>();
  const [first, last, started] = (["first_at", "last_at", "started"] as const).map((name) => columns.number(name));
  for (let place = 0; place < only.length; place++) {
    const begins = known(first?.[place]) ?? known(started?.[place]) ?? Number.NaN;
    const day = codeOf(Math.floor(begins / QUARTER_MS));
    const ends = known(last?.[place]);
    only[place] = day;
    if (ends === undefined || codeOf(Math.floor(ends / QUARTER_MS)) === day) continue;
    const several = byDay(columns.parts(place), codeOf);
    if (several.length < 2) continue;
    only[place] = -1;
    parts.set(place, several);
  }
  const values = [...codes.keys()];
  // Every quarter of a session's parts has its day in the list above, unless the session is on a single day.
  return {
    timeZone,
    values,
    only,
    parts,
    dayOf: (quarter) => codes.get(Number.isNaN(quarter) ? null : zone.dayOf(quarter)) ?? -1,
  };
}

function known(value: number | undefined): number | undefined {
  return value === undefined || Number.isNaN(value) ? undefined : value;
}

function byDay(quarters: readonly PartSum[], codeOf: (quarter: number) => number): readonly DayPart[] {
  const parts = new Map<number, Summed>();
  for (const one of quarters) {
    const day = codeOf(one.quarter);
    parts.set(day, together(parts.get(day) ?? NO_METRICS, one));
  }
  return Array.from(parts, ([day, sum]) => ({ day, sum }));
}

/** Adds two sums. */
export function together(a: Summed, b: Summed): Summed {
  return {
    requests: a.requests + b.requests,
    compactions: a.compactions + b.compactions,
    input: plus(a.input, b.input),
    cacheRead: plus(a.cacheRead, b.cacheRead),
    cacheWrite: plus(a.cacheWrite, b.cacheWrite),
    output: plus(a.output, b.output),
    priced: plus(a.priced, b.priced),
    unpriced: Math.max(a.unpriced, b.unpriced),
    ...withUnpriced([...(a.unpricedModels ?? []), ...(b.unpricedModels ?? [])]),
    compactingMs: plus(a.compactingMs, b.compactingMs),
    refetched: plus(a.refetched, b.refetched),
    refetchedTokens: plus(a.refetchedTokens, b.refetchedTokens),
    breaks: [...a.breaks, ...b.breaks],
  };
}

function plus(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : a + b;
}
