import type { BillWire, SessionRow } from "../contract/types";

/** Dollars that a listed session paid itself: own requests, branches and summary calls; `null` if unknown. */
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

/**
 * Tokens sent with the requests that a listed session made itself, those without usage estimated; of a session with inherited requests the recorded
 * ones alone. `null` if no request has usage.
 */
export function ownSent({ bill, summary }: Pick<SessionRow, "bill" | "summary">): number | null {
  if (bill?.inherited == null && summary?.tokensSent !== undefined) return summary.tokensSent;
  const usage = bill?.own?.usage ?? summary?.usage;
  return usage?.input == null ? null : usage.input + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0);
}

/** The requests of a session that another one made; `null` if there are none. The list knows other files, the summary only the session's own file. */
export function inheritedPart({ bill, summary }: Pick<SessionRow, "bill" | "summary">): BillWire["inherited"] {
  return (bill ?? summary?.bill)?.inherited ?? null;
}
