import type { Tokens } from "../base/units";
import type { DatedRates, DollarRates, PriceEntry, Provider, Rates } from "./model";

/** A row of a price list, in the list's columns: dollars per million tokens, `null` if the list has no price. */
export function rates(
  input: number,
  read: number | null,
  write5m: number | null,
  write1h: number | null,
  output: number,
  from: Tokens = 0,
): DollarRates {
  return {
    from,
    input,
    output,
    ...(read === null ? {} : { read }),
    ...(write5m === null ? {} : { write5m }),
    ...(write1h === null ? {} : { write1h }),
  };
}

/** Facts of an entry besides its ids and rates. */
type EntryFacts = Pick<PriceEntry, "source" | "seen" | "fast" | "usOnly" | "lifetime" | "window">;

/** Returns a function that makes entries with one source. Their rates are tiers without a time limit, or time ranges. */
export function entriesFrom(read: EntryFacts) {
  return (
    provider: Provider,
    ids: readonly string[],
    listed: readonly (DollarRates | DatedRates)[],
    facts: Partial<EntryFacts> = {},
  ): PriceEntry => {
    const dated = listed.flatMap((one) => ("tiers" in one ? [one] : []));
    const tiers = listed.flatMap((one) => ("tiers" in one ? [] : [one]));
    return { ids, provider, rates: tiers.length === 0 ? dated : [{ tiers }], ...read, ...facts };
  };
}

/**
 * Converts a row to micro-dollars per million tokens. If a list has no price for reading or writing, these tokens cost as much as other input; if it
 * has one price for writing, that price holds for every cache TTL. Source: docs/prices.md, "Cost of a request".
 */
export function inMicroDollars({
  input,
  output,
  read = input,
  write5m = input,
  write1h = write5m,
}: DollarRates): Rates {
  return {
    input: micro(input),
    output: micro(output),
    read: micro(read),
    write5m: micro(write5m),
    write1h: micro(write1h),
  };
}

function micro(dollars: number): number {
  return Math.round(dollars * 1e6);
}
