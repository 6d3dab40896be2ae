import type { BillWire, SessionRow } from "../contract/types";

/** Dollars that a listed session paid itself: own requests, branches and summary calls; `null` if unknown. */
export function ownCost({ bill, summary }: Pick<SessionRow, "bill" | "summary">): number | null {
  if (bill == null) return summary?.costUsd?.total ?? null;
  const parts = [bill.own, bill.branches, bill.compactions].filter((part) => part !== null);
  // A session without its own parts may have only inherited requests.
  if (parts.length === 0) return bill.inherited === null ? null : 0;
  return dollarsOf(parts);
}

/** The requests of a session that another one made; `null` if there are none. The list knows other files, the summary only the session's own file. */
export function inheritedPart({ bill, summary }: Pick<SessionRow, "bill" | "summary">): BillWire["inherited"] {
  return (bill ?? summary?.bill)?.inherited ?? null;
}

/**
 * The requests that a session paid outside its main chain, such as an abandoned branch, and their dollars; `null` if there are none, or one has no
 * price. Its list price includes them; a replay, and the recording next to it, cover only the main chain.
 */
export function costOutsideChain({
  bill,
  summary,
}: Pick<SessionRow, "bill" | "summary">): { readonly requests: number; readonly usd: number } | null {
  const own = bill ?? summary?.bill;
  const parts = [own?.branches, own?.compactions].filter((part) => part != null);
  if (parts.length === 0) return null;
  const usd = dollarsOf(parts);
  return usd === null ? null : { requests: parts.reduce((sum, { requests }) => sum + requests, 0), usd };
}

function dollarsOf(parts: readonly NonNullable<BillWire["own"]>[]): number | null {
  return parts.reduce<number | null>(
    (sum, { costUsd }) => (sum === null || costUsd.total === null ? null : sum + costUsd.total),
    0,
  );
}
