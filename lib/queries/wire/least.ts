import type { BillWire, Cost, CostUsd, SessionSummary, SessionSums } from "../contract/types";

/** Whether what a session cost is the least that it can be. Requests with figures that cannot be, which count as not recorded, may have cost more. */
export function isLeast({ costUsd, impossibleFigures }: Pick<Cost, "costUsd" | "impossibleFigures">): boolean {
  return costUsd.lowerBound === true || impossibleFigures > 0;
}

/** The same of a session as a list knows it. */
export function isLeastSession({ costUsd, problems }: Pick<SessionSummary, "costUsd" | "problems">): boolean {
  return costUsd?.lowerBound === true || problems.some(({ code }) => code === "impossible-figure");
}

/** Whether what sessions cost together is the least that it can be: one of them has no price, or costs at least what is summed of it. */
export function isLeastSum({ unpriced, lowerBounds }: Pick<SessionSums, "unpriced" | "lowerBounds">): boolean {
  return unpriced + lowerBounds > 0;
}

/** The field of a sum for the models whose requests it lacks: each once, in order. Absent where all have a price. */
export function withUnpriced(models: Iterable<string>): Pick<CostUsd, "unpricedModels"> {
  const names = [...new Set(models)].filter((name) => name !== "").sort();
  return names.length === 0 ? {} : { unpricedModels: names };
}

/** The models that any part of a bill lacks; none where the bill is not known. */
export function unpricedOfBill(bill: BillWire | null | undefined): readonly string[] {
  return Object.values(bill ?? {}).flatMap((part) => part?.costUsd.unpricedModels ?? []);
}

/** Sentences on the models that a sum lacks, in the words of the page: their names, and the row that adds a price. */
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
