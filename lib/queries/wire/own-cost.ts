import type { BillWire, SessionRow } from "../contract/types";

/** Dollars that a session of the list paid itself: own requests, branches and calls for summaries; `null` where that is not known. */
export function ownCost({ bill, summary }: Pick<SessionRow, "bill" | "summary">): number | null {
  if (bill == null) return summary?.costUsd?.total ?? null;
  const parts = [bill.own, bill.branches, bill.compactions].filter((part) => part !== null);
  // Everything in its context is another session's.
  if (parts.length === 0) return bill.inherited === null ? null : 0;
  return parts.reduce<number | null>(
    (sum, { costUsd }) => (sum === null || costUsd.total === null ? null : sum + costUsd.total),
    0,
  );
}

/** The requests of a session that another one made; `null` where there are none. The list knows other files, the summary only what the session's own file says. */
export function inheritedPart({ bill, summary }: Pick<SessionRow, "bill" | "summary">): BillWire["inherited"] {
  return (bill ?? summary?.bill)?.inherited ?? null;
}
