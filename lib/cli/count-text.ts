/** A count as a person reads it, in groups of three digits; `n/a` where it is not known. */
export function countText(value: number | null): string {
  return value === null ? "n/a" : value.toLocaleString("en-US");
}
