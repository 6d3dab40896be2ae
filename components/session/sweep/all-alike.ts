import type { SweptFigures } from "@/lib/core/figures/values";

/** Why the front offers no choice: nothing is compacted anywhere, or every compaction keeps the same. */
export type Alike = { readonly kind: "noneCompacts" } | { readonly kind: "sameKept"; readonly tokens: number };

/** Whether all points keep the same, so that the Pareto front is simply the point with the fewest tokens sent; `undefined` where they differ. */
export function allAlike(
  points: readonly { readonly figures: Pick<SweptFigures, "keptTokens" | "compactions"> }[],
): Alike | undefined {
  const [first, ...others] = points;
  if (first === undefined || others.length === 0) return undefined;
  if (points.every(({ figures }) => figures.compactions === 0)) return { kind: "noneCompacts" };
  const tokens = first.figures.keptTokens;
  if (tokens === null) return undefined;
  return others.every(({ figures }) => figures.keptTokens === tokens) ? { kind: "sameKept", tokens } : undefined;
}
