import type { Milliseconds, Tokens } from "../base/units";

/**
 * Prices of models. They are dated facts with a source each: what a provider's list said of a request of a given size at a given time,
 * never what somebody paid. Rules: docs/prices.md.
 */

/** Who answers: it decides how a cache behaves. Everyone whose cache has no documented rule is `other`. */
export type Provider = "anthropic" | "openai" | "other";

/** US dollars per million tokens, as a price list has them. */
export interface DollarRates {
  /** The rates hold for a whole request that sent at least so many tokens; 0 of the first. */
  readonly from: Tokens;
  readonly input: number;
  readonly output: number;
  /** Where a list has no price for reading from the cache, what was read costs as much as other input. */
  readonly read?: number;
  /** Where a list has no price for writing to the cache, what was written costs as much as other input. */
  readonly write5m?: number;
  readonly write1h?: number;
}

/** The rates of a stretch of time: a small request's first. */
export interface DatedRates {
  /** First day, in UTC. Absent: since ever. */
  readonly from?: string;
  /** The day in UTC on which they no longer hold. Absent: until further notice. */
  readonly until?: string;
  /** Minutes of the day in UTC, the second not among them. Rates of an hour go before those of the whole day. */
  readonly minutes?: readonly [number, number];
  readonly tiers: readonly DollarRates[];
}

/** The prices of some models that cost the same. */
export interface PriceEntry {
  /** Exact ids. */
  readonly ids: readonly string[];
  readonly provider: Provider;
  /** In order of time. */
  readonly rates: readonly DatedRates[];
  /** By how much everything is dearer where the request was answered fast. Absent: not known, or not offered. */
  readonly fast?: number;
  /** By how much everything is dearer where the request had to be answered within the United States. Absent: not at all. */
  readonly usOnly?: number;
  /** How long the provider keeps what was sent, where the model differs from others of its provider. */
  readonly lifetime?: Milliseconds;
  /** Where the prices were read, and on which day. */
  readonly source: string;
  readonly seen: string;
}

/** Micro-dollars per million tokens: whole numbers, so that sums are exact. */
export interface Rates {
  readonly input: number;
  readonly output: number;
  readonly read: number;
  readonly write5m: number;
  readonly write1h: number;
}
