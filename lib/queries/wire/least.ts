import type { BillWire, Cost, CostUsd, SessionSummary, SessionSums } from "../contract/types";

/** True if a session's cost is a lower bound. Requests with impossible numbers, which count as not recorded, may have cost more. */
export function isLeast({ costUsd, impossibleFigures }: Pick<Cost, "costUsd" | "impossibleFigures">): boolean {
  return costUsd.lowerBound === true || impossibleFigures > 0;
}

/** True if a listed session's cost is a lower bound. */
export function isLeastSession({ costUsd, problems }: Pick<SessionSummary, "costUsd" | "problems">): boolean {
  return costUsd?.lowerBound === true || problems.some(({ code }) => code === "impossible-figure");
}

/** True if the cost of a listed session together with its subagents is a lower bound. */
export function isLeastTogether(
  summary: Pick<SessionSummary, "costUsd" | "problems">,
  bill: Pick<BillWire, "subagents"> | null | undefined,
): boolean {
  return isLeastSession(summary) || bill?.subagents?.costUsd.lowerBound === true;
}

/** True if the sum of sessions' costs is a lower bound: one of them has no price, or is a lower bound. */
export function isLowerBoundSum({ unpriced, lowerBounds }: Pick<SessionSums, "unpriced" | "lowerBounds">): boolean {
  return unpriced + lowerBounds > 0;
}

/** The field of a sum with the unpriced models whose requests it omits, each once, sorted. Absent if all have a price. */
export function withUnpriced(models: Iterable<string>): Pick<CostUsd, "unpricedModels"> {
  const names = [...new Set(models)].filter((name) => name !== "").sort();
  return names.length === 0 ? {} : { unpricedModels: names };
}

/** The unpriced models of any part of a bill; none if the bill is unknown. */
export function unpricedOfBill(bill: BillWire | null | undefined): readonly string[] {
  return Object.values(bill ?? {}).flatMap((part) => part?.costUsd.unpricedModels ?? []);
}

/** Sentences about the models that a sum omits, worded as on the page: their names, and the row that adds a price. */
export function unpricedTexts(models: Iterable<string>): readonly string[] {
  const [first, ...others] = withUnpriced(models).unpricedModels ?? [];
  if (first === undefined) return [];
  return [
    `No price is known for ${first}. To add one, put a row ${priceRow(first)} in ~/.config/context-replay/prices.json, or in a file passed with --prices FILE.`,
    ...(others.length === 0 ? [] : [`No price is known for ${others.join(", ")} either: add a row for each.`]),
  ];
}

/** The row of a price file for a model, without its prices. */
export function priceRow(model: string): string {
  return `{"model": ${JSON.stringify(model)}, "input": …, "output": …}`;
}
