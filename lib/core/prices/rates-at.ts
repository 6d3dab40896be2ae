import type { Milliseconds, Tokens } from "../base/units";
import type { DatedRates, PriceEntry, Rates } from "./model";
import { inMicroDollars } from "./rates";

/**
 * Rates of a whole request.
 * @param at the request's own time; for NaN (no time) only prices that never changed are known
 * @param sent all tokens of the request, read and written parts included
 */
export function ratesFor(entry: PriceEntry, at: Milliseconds, sent: Tokens): Rates | undefined {
  return ratesOfSize(sizedRates(ratesAt(entry, at)), sent);
}

/** Rates of requests from a minimum size on. */
export interface SizedRates {
  readonly from: Tokens;
  readonly rates: Rates;
}

const NO_RATES: readonly SizedRates[] = [];
/** Rates of every time range, computed once. */
const sized = new WeakMap<DatedRates, readonly SizedRates[]>();

/** Rates of a time range as integers, those of small requests first. */
export function sizedRates(dated: DatedRates | undefined): readonly SizedRates[] {
  if (dated === undefined) return NO_RATES;
  const known = sized.get(dated) ?? dated.tiers.map((tier) => ({ from: tier.from, rates: inMicroDollars(tier) }));
  sized.set(dated, known);
  return known;
}

/** Rates at a time, for requests of any size. */
export function ratesAt({ rates }: PriceEntry, at: Milliseconds): DatedRates | undefined {
  return Number.isNaN(at) ? theOnly(rates) : rates.findLast((one) => holdsAt(one, at));
}

/** Rates of a whole request of this size. */
export function ratesOfSize(tiers: readonly SizedRates[], sent: Tokens): Rates | undefined {
  return tiers.findLast(({ from }) => sent >= from)?.rates;
}

function theOnly<Value>(values: readonly Value[]): Value | undefined {
  return values.length === 1 ? values[0] : undefined;
}

const DAY = 86_400_000;
const MINUTE = 60_000;

/** True if rates hold at a time: days begin and end in UTC; the first is included and the last is not. */
function holdsAt(dated: DatedRates, at: Milliseconds): boolean {
  const { from, until } = timeRangeOf(dated);
  if (at < from || at >= until) return false;
  const { minutes } = dated;
  if (minutes === undefined) return true;
  const minute = Math.floor((at % DAY) / MINUTE);
  return minute >= minutes[0] && minute < minutes[1];
}

/** Time range in milliseconds. */
interface TimeRange {
  readonly from: Milliseconds;
  readonly until: Milliseconds;
}

/** Time ranges with their days parsed once, since every request of a session needs them. */
const timeRanges = new WeakMap<DatedRates, TimeRange>();

function timeRangeOf(dated: DatedRates): TimeRange {
  const known = timeRanges.get(dated);
  if (known !== undefined) return known;
  const { from, until } = dated;
  const timeRange = {
    from: from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from),
    until: until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until),
  };
  timeRanges.set(dated, timeRange);
  return timeRange;
}
