import type { Tokens } from "@/lib/core/base/units";

/**
 * The part of a cache write with a TTL of one hour. `undefined` if the record does not state it: one part alone, or parts that do not sum to the
 * whole, do not determine it. Source: docs/prices.md, "Cost of a request".
 */
export function writtenForAnHour(
  written: Tokens | undefined,
  forFiveMinutes: Tokens | undefined,
  forAnHour: Tokens | undefined,
): Tokens | undefined {
  if (forFiveMinutes === undefined || forAnHour === undefined) return undefined;
  return forFiveMinutes + forAnHour === written ? forAnHour : undefined;
}
