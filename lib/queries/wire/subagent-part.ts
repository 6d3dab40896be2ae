import type { BillWire } from "@/lib/queries/contract/types";

type SubagentPart = NonNullable<NonNullable<BillWire["subagents"]>["each"]>[number];

/** A subagent's bill in one line, its own subagents included. */
export function subagentPart(session: string, title: string, bill: BillWire): SubagentPart {
  const parts = [bill.own, bill.branches, bill.compactions, bill.subagents].filter((part) => part !== null);
  const totals = parts.map(({ costUsd }) => costUsd.total);
  return {
    session,
    title,
    requests: parts.reduce((sum, { requests }) => sum + requests, 0),
    usd: totals.reduce<number | null>((sum, one) => (sum === null || one === null ? null : sum + one), 0),
    lowerBound: parts.some(({ costUsd }) => costUsd.lowerBound === true),
  };
}

/** The most expensive first; of those without a price the one with most requests. */
export function byCost(one: SubagentPart, other: SubagentPart): number {
  return (other.usd ?? -1) - (one.usd ?? -1) || other.requests - one.requests;
}
