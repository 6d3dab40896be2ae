import type { Milliseconds, Tokens } from "../base/units";

/**
 * Prices of models. They are dated facts with a source each: what a provider's list asked for a request of a given size at a given time, never what
 * somebody paid. Rules: docs/prices.md.
 */

/** Who answers: it decides how a cache behaves. A provider whose cache has no documented rule is `other`. */
export type Provider = "anthropic" | "openai" | "other";

/** US dollars per million tokens, as in a price list. */
export interface DollarRates {
  /** The rates hold for a whole request that sent at least this many tokens; 0 for the first tier. */
  readonly from: Tokens;
  readonly input: number;
  readonly output: number;
  /** Absent where a list has no price for reading from the cache: such tokens then cost as much as other input. */
  readonly read?: number | undefined;
  /** Absent where a list has no price for writing to the cache: such tokens then cost as much as other input. */
  readonly write5m?: number | undefined;
  readonly write1h?: number | undefined;
}

/** The rates of a stretch of time, with those of small requests first. */
export interface DatedRates {
  /** First day, in UTC. Absent: always. */
  readonly from?: string | undefined;
  /** The day, in UTC, from which they no longer hold. Absent: until further notice. */
  readonly until?: string | undefined;
  /** Minutes of the day in UTC, the end not included. Rates with hours come before those of the whole day. */
  readonly minutes?: readonly [number, number] | undefined;
  readonly tiers: readonly DollarRates[];
}

/** The prices of some models that cost the same. */
export interface PriceEntry {
  /** Exact ids. */
  readonly ids: readonly string[];
  readonly provider: Provider;
  /** In order of time. */
  readonly rates: readonly DatedRates[];
  /** Factor on all prices for a request in fast mode, which OpenAI also names the priority tier. Absent: not known, or not offered. */
  readonly fast?: number | undefined;
  /** Factor on all prices for a request that had to be answered within the United States. Absent: no surcharge. */
  readonly usOnly?: number | undefined;
  /** How long the provider caches what was sent, for a model that differs from others of its provider. */
  readonly lifetime?: Milliseconds | undefined;
  /** The models' context window as the same list states it. `windows.ts` decides which window counts. */
  readonly window?: Tokens | undefined;
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
