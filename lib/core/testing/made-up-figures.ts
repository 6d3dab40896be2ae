import type { Figure, FigureInput } from "../figures/figure";

const common = {
  better: "lower",
  over: "sum",
  answer: "totals",
  shown: { compare: "number", results: "number", sweep: true },
} as const;

/**
 * Two figures that the registry does not have: what the policy dropped, and the request at which it first acted, which a replay without a
 * compaction does not have. With them in the registry, tests see what follows from it.
 */
export const MADE_UP_FIGURES = [
  {
    ...{ ...common, key: "itemsDropped", unit: "count", mayBeAbsent: false },
    of: ({ replay }: FigureInput) => replay.compactions.reduce((sum, { droppedItems }) => sum + droppedItems, 0),
    text: { replay: "items dropped", sweep: "dropped" },
  },
  {
    ...{ ...common, key: "firstActedAt", unit: "requests", mayBeAbsent: true },
    of: ({ replay }: FigureInput) => replay.compactions[0]?.request ?? null,
    text: { replay: "first acted at", sweep: "first at" },
  },
] as const satisfies readonly Figure[];
