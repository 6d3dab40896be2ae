import type { Tokens } from "@/lib/core/base/units";

/**
 * The part of what was written to a cache that was written for an hour. `undefined` where it is not told: one part alone, or parts that do not
 * sum to the whole, say nothing of it. Source: docs/prices.md, "What a request costs".
 */
export function writtenForAnHour(
  written: Tokens | undefined,
  forFiveMinutes: Tokens | undefined,
  forAnHour: Tokens | undefined,
): Tokens | undefined {
  if (forFiveMinutes === undefined || forAnHour === undefined) return undefined;
  return forFiveMinutes + forAnHour === written ? forAnHour : undefined;
}
