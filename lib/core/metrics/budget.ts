import type { SweptKey } from "./registry";
import { type KnownMetric, SWEPT_FIGURES, type SweptMetrics } from "./values";

/** How a figure has to stand to its limit. */
type Relation = "<=" | "<" | "==" | ">=" | ">";

/** What a figure over several recordings must not exceed, or fall short of. */
export interface Budget {
  /** As the user wrote it. */
  readonly text: string;
  readonly figure: KnownMetric<SweptKey>;
  readonly relation: Relation;
  readonly amount: number;
  /** Whether the amount is a multiple of the baseline's figure. */
  readonly ofBaseline: boolean;
}

/** Whether a budget holds, and by which numbers. */
export interface Judged {
  readonly budget: Budget;
  readonly value: number | null;
  /** What it was set against; `null` where the baseline lacks the figure. */
  readonly limit: number | null;
  /** `false` also where a number is not known: what cannot be checked has not passed. */
  readonly holds: boolean;
}

/** Figures that budgets may name: those that have one value over several recordings. */
export const BUDGETED_FIGURES: readonly KnownMetric<SweptKey>[] = SWEPT_FIGURES.filter(({ over }) => over !== "none");

/** Shorter names of figures. */
const SHORT_NAMES: Readonly<Record<string, SweptKey>> = { cost: "costUsd" };

const FORM = /^([A-Za-z]\w*)\s*(<=|>=|==|<|>)\s*(\d+(?:\.\d+)?(?:e\d+)?)\s*(x\s*baseline)?$/;

/** A budget as `FIGURE<=NUMBER` or `FIGURE<=NUMBERx baseline`, with one of five relations; `undefined` for anything else. */
export function budgetOf(text: string): Budget | undefined {
  const [, name = "", relation, amount, times] = FORM.exec(text.trim()) ?? [];
  const key = Object.hasOwn(SHORT_NAMES, name) ? SHORT_NAMES[name] : name;
  const figure = BUDGETED_FIGURES.find((known) => known.key === key);
  if (figure === undefined || !isRelation(relation)) return undefined;
  return { text: text.trim(), figure, relation, amount: Number(amount), ofBaseline: times !== undefined };
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

/** Judges a budget by figures over all recordings. @param baseline the same of the baseline, where there is one */
export function judged(budget: Budget, figures: SweptMetrics, baseline: SweptMetrics | undefined): Judged {
  const { figure, relation, amount, ofBaseline } = budget;
  const value = figures[figure.key];
  const base = ofBaseline ? (baseline?.[figure.key] ?? null) : 1;
  const limit = base === null ? null : inMillionths(amount * base);
  return { budget, value, limit, holds: value !== null && limit !== null && HOLDS[relation](value, limit) };
}

/** Products of decimals are not exact, and a millionth is finer than any figure is. Of large numbers millionths cannot be told apart. */
function inMillionths(product: number): number {
  const millionths = Math.round(product * 1e6);
  return Number.isSafeInteger(millionths) ? millionths / 1e6 : product;
}
