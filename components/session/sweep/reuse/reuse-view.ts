import type { Tokens } from "@/lib/core/base/units";
import { fetchedAgain, type ReuseCurve } from "@/lib/core/needs/reuse";

/** A size of the context that the curve is read at. */
export interface Budget {
  readonly kind: "recorded" | "inForce" | "swept";
  readonly budget: Tokens;
}

/** A budget with what it would fetch again. */
export interface BudgetRow extends Budget {
  readonly again: Tokens;
}

/** The most swept budgets that are listed; of more, the first, the last and some between. */
const MOST_SWEPT = 12;

/** The budgets by size, each once: of equal ones that of the recording, then that in force. */
export function budgetRows(curve: ReuseCurve, budgets: readonly Budget[]): readonly BudgetRow[] {
  const swept = thinned(budgets.filter(({ kind }) => kind === "swept").sort((a, b) => a.budget - b.budget));
  const bySize = new Map<Tokens, Budget>();
  for (const kind of ["recorded", "inForce"] as const) {
    for (const one of budgets) if (one.kind === kind && !bySize.has(one.budget)) bySize.set(one.budget, one);
  }
  for (const one of swept) if (!bySize.has(one.budget)) bySize.set(one.budget, one);
  return [...bySize.values()]
    .sort((a, b) => a.budget - b.budget)
    .map((one) => ({ ...one, again: fetchedAgain(curve, one.budget) }));
}

function thinned(budgets: readonly Budget[]): readonly Budget[] {
  const distinct = budgets.filter(({ budget }, at) => budget !== budgets[at - 1]?.budget);
  if (distinct.length <= MOST_SWEPT) return distinct;
  const step = (distinct.length - 1) / (MOST_SWEPT - 1);
  return Array.from({ length: MOST_SWEPT }, (_, at) => distinct[Math.round(at * step)]).filter(
    (one) => one !== undefined,
  );
}

/** The curve as the corners of its steps, from no budget at all to the right end. */
export function curveCorners({ distances, tokens }: ReuseCurve, end: Tokens): readonly (readonly [Tokens, Tokens])[] {
  const corners: (readonly [Tokens, Tokens])[] = [[0, tokens[0] ?? 0]];
  for (let at = 0; at < distances.length; at++) {
    const distance = distances[at] ?? 0;
    if (distance > end) break;
    if (distances[at + 1] === distance) continue;
    corners.push([distance, tokens[at + 1] ?? 0]);
  }
  return corners;
}
