import { isoTime } from "@/lib/core/base/iso-time";
import type { Milliseconds } from "@/lib/core/base/units";

/** A record's own time, from any form that is a date; NaN where it has none. */
export function timeOf({ timestamp }: Readonly<Record<string, unknown>>): Milliseconds {
  return typeof timestamp === "string" ? (isoTime(timestamp) ?? Date.parse(timestamp)) : Number.NaN;
}
