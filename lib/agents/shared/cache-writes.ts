import type { Tokens } from "@/lib/core/base/units";

/**
 * The part of a cache write that was written to live for an hour. `undefined` where the record does not tell: one part alone, or parts that do
 * not sum to the whole, say nothing about it. Source: docs/prices.md, "What a request costs".
 */
export function writtenForAnHour(
  written: Tokens | undefined,
  forFiveMinutes: Tokens | undefined,
  forAnHour: Tokens | undefined,
): Tokens | undefined {
  if (forFiveMinutes === undefined || forAnHour === undefined) return undefined;
  return forFiveMinutes + forAnHour === written ? forAnHour : undefined;
}
