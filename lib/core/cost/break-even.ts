import type { Tokens } from "../base/units";
import type { Rates } from "../prices/model";
import type { MicroDollars } from "./money";

/** Contexts on both sides of a compaction. */
export interface CompactedSizes {
  /** Sent with the last request before it. */
  readonly before: Tokens;
  /** Sent with the first request behind it. */
  readonly after: Tokens;
  /** Of that, what the cache gave back: the beginning that stayed as it was. */
  readonly prefix: Tokens;
}

/** Prices on both sides: a request of another size may have others. Micro-dollars per million tokens. */
export interface CompactedRates {
  readonly before: Pick<Rates, "read">;
  readonly after: Pick<Rates, "read">;
  /** Of what the first request behind it did not read. */
  readonly anew: number;
  /** By how much all of them are dearer or cheaper. */
  readonly factor: number;
}

/** Prices are per million tokens. */
const UNIT = 1e6;

/**
 * After how many requests a compaction has paid for itself, where every one of them finds a warm cache: what they save by reading the smaller context is then as much as
 * the call for the summary and the writing of what was left cost. What grows in between costs the same with and without it. Infinite where reading
 * what is left costs no less than reading what was there. Source: docs/prices.md, "When a compaction pays".
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
