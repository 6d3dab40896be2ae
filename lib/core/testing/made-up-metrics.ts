import type { Metric, MetricInput } from "../metrics/metric";

const common = {
  better: "lower",
  over: "sum",
  answer: "totals",
  shown: { compare: "number", results: "number", sweep: true },
} as const;

/**
 * Two metrics that the registry does not have: the number of items that the policy dropped, and the request at which it first acted, which is absent
 * for a replay without a compaction. Tests add them to the registry and check the derived tables.
 */
export const MADE_UP_METRICS = [
  {
    ...common,
    key: "itemsDropped",
    unit: "count",
    mayBeAbsent: false,
    of: ({ replay }: MetricInput) => replay.compactions.reduce((sum, { droppedItems }) => sum + droppedItems, 0),
    text: { replay: "items dropped", sweep: "dropped" },
  },
  {
    ...common,
    key: "firstActedAt",
    unit: "requests",
    mayBeAbsent: true,
    of: ({ replay }: MetricInput) => replay.compactions[0]?.request ?? null,
    text: { replay: "first acted at", sweep: "first at" },
  },
] as const satisfies readonly Metric[];
