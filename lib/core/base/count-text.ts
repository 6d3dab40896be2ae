import { grouped } from "@/lib/core/base/grouped";

/** A count with its digits in groups of three, or `n/a` if it is unknown. */
export function countText(value: number | null): string {
  if (value === null) return "n/a";
  return Number.isSafeInteger(value) && value >= 0 ? grouped(String(value)) : value.toLocaleString("en-US");
}

/** How many there are of what a regular noun names: `1 request`, `2 requests`, `n/a requests`. */
export function countedText(value: number | null, noun: string): string {
  return `${countText(value)} ${noun}${value === 1 ? "" : "s"}`;
}
