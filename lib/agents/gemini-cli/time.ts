import type { Milliseconds } from "@/lib/core/base/units";

/** ISO 8601 with a date and a time; without a zone it is UTC, so that the answer does not depend on the reader's place. */
const ISO_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(Z|[+-]\d\d:?\d\d)?$/;

/** A record's own time; `undefined` where it has none that can be read. */
export function timeOf(value: unknown): Milliseconds | undefined {
  const match = typeof value === "string" ? ISO_TIME.exec(value) : null;
  if (match === null) return undefined;
  const at = Date.parse(match[1] === undefined ? `${match[0]}Z` : match[0]);
  return Number.isNaN(at) ? undefined : at;
}
