/** A count with its digits in groups of three, or `n/a` if it is unknown. */
export function countText(value: number | null): string {
  return value === null ? "n/a" : value.toLocaleString("en-US");
}
