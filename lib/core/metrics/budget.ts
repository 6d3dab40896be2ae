import type { SweptKey } from "./registry";
import { type KnownMetric, SWEPT_METRICS, type SweptMetrics } from "./values";

/** Relation between a metric and its limit. */
type Relation = "<=" | "<" | "==" | ">=" | ">";

/** Limit on a metric over several recordings. */
export interface Budget {
  /** As the user wrote it. */
  readonly text: string;
  readonly metric: KnownMetric<SweptKey>;
  readonly relation: Relation;
  readonly amount: number;
  /** True if the amount is a multiple of the baseline's metric. */
  readonly ofBaseline: boolean;
}

export interface Judged {
  readonly budget: Budget;
  readonly value: number | null;
  /** The number compared with; `null` if the baseline lacks the metric. */
  readonly limit: number | null;
  /** Also `false` if a number is unknown, so that an unchecked budget does not pass. */
  readonly holds: boolean;
}

/** Metrics that budgets may name: those with one value over several recordings. */
export const BUDGETED_METRICS: readonly KnownMetric<SweptKey>[] = SWEPT_METRICS.filter(({ over }) => over !== "none");

/** Shorter names of metrics. */
const SHORT_NAMES: Readonly<Record<string, SweptKey>> = { cost: "costUsd" };

const PATTERN = /^([A-Za-z]\w*)\s*(<=|>=|==|<|>)\s*(\d+(?:\.\d+)?(?:e\d+)?)\s*(x\s*baseline)?$/;

/** Parses a budget such as `METRIC<=NUMBER` or `METRIC<=NUMBERx baseline`, with one of five relations; `undefined` for anything else. */
export function budgetOf(text: string): Budget | undefined {
  const [, name = "", relation, amount, times] = PATTERN.exec(text.trim()) ?? [];
  const key = Object.hasOwn(SHORT_NAMES, name) ? SHORT_NAMES[name] : name;
  const metric = BUDGETED_METRICS.find((known) => known.key === key);
  if (metric === undefined || !isRelation(relation)) return undefined;
  return { text: text.trim(), metric, relation, amount: Number(amount), ofBaseline: times !== undefined };
}

function isRelation(text: string | undefined): text is Relation {
  return text !== undefined && Object.hasOwn(HOLDS, text);
}

const HOLDS: Readonly<Record<Relation, (value: number, limit: number) => boolean>> = {
  "<=": (value, limit) => value <= limit,
  "<": (value, limit) => value < limit,
  "==": (value, limit) => value === limit,
  ">=": (value, limit) => value >= limit,
  ">": (value, limit) => value > limit,
};

/**
 * Judges a budget by metrics over all recordings.
 * @param baseline the baseline's metrics, if there is one
 */
export function judged(budget: Budget, metrics: SweptMetrics, baseline: SweptMetrics | undefined): Judged {
  const { metric, relation, amount, ofBaseline } = budget;
  const value = metrics[metric.key];
  const base = ofBaseline ? (baseline?.[metric.key] ?? null) : 1;
  const limit = base === null ? null : inMillionths(amount * base);
  return { budget, value, limit, holds: value !== null && limit !== null && HOLDS[relation](value, limit) };
}

/** Rounds to millionths, because products of decimals are not exact and no metric is finer. Large numbers have no precision left for millionths. */
function inMillionths(product: number): number {
  const millionths = Math.round(product * 1e6);
  return Number.isSafeInteger(millionths) ? millionths / 1e6 : product;
}
