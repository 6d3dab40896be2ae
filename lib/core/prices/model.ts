import type { Milliseconds, Tokens } from "../base/units";

/**
 * Prices of models: dated facts, each with a source. A price is the provider's list price for a request of a given size at a given time, not an
 * amount that a user paid. Rules: docs/prices.md.
 */

/** Provider, which decides how a cache behaves. A provider whose cache has no documented rule is `other`. */
export type Provider = "anthropic" | "openai" | "other";

/** US dollars per million tokens, as in a price list. */
export interface DollarRates {
  /** Minimum tokens that a request must send for these rates, which then hold for the whole request; 0 for the first tier. */
  readonly from: Tokens;
  readonly input: number;
  readonly output: number;
  /** Absent if a list has no price for cache reads: they then cost as much as other input. */
  readonly read?: number | undefined;
  /** Absent if a list has no price for cache writes: they then cost as much as other input. */
  readonly write5m?: number | undefined;
  readonly write1h?: number | undefined;
}

/** Rates of a time range, with those of small requests first. */
export interface DatedRates {
  /** First day, in UTC. Absent: no beginning. */
  readonly from?: string | undefined;
  /** First day, in UTC, after the range. Absent: no end. */
  readonly until?: string | undefined;
  /** Minutes of the day in UTC, end excluded. Rates with hours precede rates of the whole day. */
  readonly minutes?: readonly [number, number] | undefined;
  readonly tiers: readonly DollarRates[];
}

/** Prices of models that cost the same. */
export interface PriceEntry {
  /** Exact ids. */
  readonly ids: readonly string[];
  readonly provider: Provider;
  /** In order of time. */
  readonly rates: readonly DatedRates[];
  /** Factor on all prices for a request in fast mode, OpenAI's priority tier. Absent: not known, or not offered. */
  readonly fast?: number | undefined;
  /** Factor on all prices for a request that must be answered within the United States. Absent: no surcharge. */
  readonly usOnly?: number | undefined;
  /** Cache TTL of a model that differs from others of its provider. */
  readonly lifetime?: Milliseconds | undefined;
  /** Context window of the models in the same list. `windows.ts` decides which window counts. */
  readonly window?: Tokens | undefined;
  /** Where the prices were read, and on which day. */
  readonly source: string;
  readonly seen: string;
}

/** Micro-dollars per million tokens: integers, so that sums are exact. */
export interface Rates {
  readonly input: number;
  readonly output: number;
  readonly read: number;
  readonly write5m: number;
  readonly write1h: number;
}
