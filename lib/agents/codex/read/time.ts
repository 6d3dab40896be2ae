import { isoTime } from "@/lib/core/base/iso-time";
import type { Milliseconds } from "@/lib/core/base/units";

/** A record's own time, from any date format; `undefined` if it has none. */
export function timeOf({ timestamp }: Readonly<Record<string, unknown>>): Milliseconds | undefined {
  if (typeof timestamp !== "string") return undefined;
  const at = isoTime(timestamp) ?? Date.parse(timestamp);
  return Number.isNaN(at) ? undefined : at;
}
