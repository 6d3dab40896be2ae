/** A number of at least 0, or none: one that no double holds is Infinity. */
export function countOf(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0 ? value : undefined;
}
