import { countedText, countText, usdText } from "@/lib/core/base/number-text";
import type { Cost, CostUsd } from "@/lib/queries/contract/schemas";
import { printable } from "./printable";

type Bill = Cost["bill"];

/** A total in dollars, marked if it is a lower bound. */
export function boundedUsd({ total, lowerBound }: Pick<CostUsd, "total" | "lowerBound">): string {
  return `${lowerBound === true ? "≥ " : ""}${usdText(total)}`;
}

/** The inherited part of a number of requests, in parentheses; empty if there is none. */
export function inheritedText(inherited: Bill["inherited"]): string {
  return inherited === null ? "" : ` (${countText(inherited.requests)} of them inherited${fromText(inherited)})`;
}

/** The sessions that made the inherited requests. */
export function fromText({ from }: NonNullable<Bill["inherited"]>): string {
  return from.length === 0 ? "" : ` from ${printable(from.join(", "))}`;
}

/** Requests of a session that are in its context but not in its cost, or the reverse. */
export function billNotes({ inherited, branches, compactions, passes }: Bill): readonly string[] {
  const part = (one: Bill["own"], text: string) =>
    one === null ? [] : [`${text}: ${countedText(one.requests, "request")}, ${boundedUsd(one.costUsd)}.`];
  return [
    ...part(inherited, "Inherited, not in the sum"),
    ...part(branches, "In the sum, on abandoned branches"),
    ...part(passes, "In the sum, further passes of responses"),
    ...part(compactions, "In the sum, calls for summaries"),
  ];
}
