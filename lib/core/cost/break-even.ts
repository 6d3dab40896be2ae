import type { Tokens } from "../base/units";
import type { Rates } from "../prices/model";
import type { MicroDollars } from "./money";

/** Contexts on both sides of a compaction. */
export interface CompactedSizes {
  /** Sent with the last request before it. */
  readonly before: Tokens;
  /** Sent with the first request after it. */
  readonly after: Tokens;
  /** The part of `after` that the cache returned: the beginning that stayed as it was. */
  readonly prefix: Tokens;
}

/** Prices on both sides, in micro-dollars per million tokens: a request of another size may have other prices. */
export interface CompactedRates {
  readonly before: Pick<Rates, "read">;
  readonly after: Pick<Rates, "read">;
  /** The price of what the first request after it did not read. */
  readonly anew: number;
  /** The factor on all of them. */
  readonly factor: number;
}

/** Prices are per million tokens. */
const UNIT = 1e6;

/**
 * After how many requests a compaction has paid for itself, if all of them find a warm cache. What they save by reading the smaller context then
 * equals the cost of the call for the summary and of writing what was left. What the context grows by in between costs the same with and without the
 * compaction. Infinite where reading what is left costs no less than reading what was there. Source: docs/prices.md, "When a compaction pays".
 * @param call what the call for the summary cost
 */
export function breakEvenRequests(
  { before, after, prefix }: CompactedSizes,
  rates: CompactedRates,
  call: MicroDollars,
): number {
  const price = (tokens: Tokens, rate: number) => (tokens * rate * rates.factor) / UNIT;
  const readAfter = price(after, rates.after.read);
  const saved = price(before, rates.before.read) - readAfter;
  if (saved <= 0) return Number.POSITIVE_INFINITY;
  const first = price(prefix, rates.after.read) + price(after - prefix, rates.anew);
  return (call + first - readAfter) / saved;
}
