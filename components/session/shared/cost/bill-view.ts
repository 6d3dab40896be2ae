import type { BillWire, Cost } from "@/lib/queries/contract/types";
import { ownCost } from "@/lib/queries/wire/own-cost";

/** A line of a session's bill. `passes` is a part of `own`; `billed` and `together` are sums. */
export interface BillLine {
  readonly name: keyof BillWire | "billed" | "together";
  readonly requests: number;
  /** Tokens sent; `null` if none are recorded. */
  readonly sent: number | null;
  /** Dollars; `null` if a request has no price. */
  readonly usd: number | null;
  readonly isLeast: boolean;
}

type BillPart = NonNullable<BillWire["own"]>;

/** A bill as the session page shows it. */
export interface BillView {
  readonly bill: BillWire;
  /** Own requests, branches and calls for summaries. */
  readonly billed: BillLine;
  /** Dollars of `billed` that were input. */
  readonly input: number | null;
  /** `billed` with the subagents; absent without subagents. */
  readonly together: BillLine | undefined;
  /** All lines in order; empty if the session has only own requests. */
  readonly lines: readonly BillLine[];
}

/**
 * Selects the bill that the page shows.
 * @param listed the list's bill, which knows other files: used if it has the same requests and prices
 */
export function billView(recorded: Cost, listed: BillWire | null | undefined): BillView {
  const bill = listed != null && isAlike(recorded, listed) ? listed : recorded.bill;
  const billed = billedLine(bill);
  const parts = paidParts(bill);
  const { own, branches, compactions, subagents, inherited } = bill;
  // A captured stream may state only the sum of its requests; then it has only passes.
  const passes = own?.requests === 0 ? null : bill.passes;
  const line = (name: BillLine["name"], part: BillPart | null) => (part === null ? [] : [lineOf(name, part)]);
  const together = subagents === null ? undefined : sumLine("together", [billed, lineOf("subagents", subagents)]);
  const hasMore = [passes, branches, compactions, subagents, inherited].some((part) => part !== null);
  const isSum = branches !== null || compactions !== null || subagents !== null;
  const lines = [
    ...line("own", own),
    ...line("passes", passes),
    ...line("branches", branches),
    ...line("compactions", compactions),
    ...(isSum ? [billed] : []),
    ...line("subagents", subagents),
    ...(together === undefined ? [] : [together]),
    ...line("inherited", inherited),
  ];
  const input = sumOrNull(parts.map(({ costUsd }) => costUsd.input));
  return { bill, billed, input, together, lines: hasMore ? lines : [] };
}

/** True if the list has as many requests with the same prices. */
function isAlike({ bill, on, priceDate }: Cost, listed: BillWire): boolean {
  const count = ({ own, inherited, branches, compactions }: BillWire) =>
    [own, inherited, branches, compactions].reduce((sum, part) => sum + (part?.requests ?? 0), 0);
  return on === null && priceDate === "recorded" && count(bill) === count(listed);
}

function paidParts({ own, branches, compactions }: BillWire): readonly BillPart[] {
  return [own, branches, compactions].filter((part) => part !== null);
}

function billedLine(bill: BillWire): BillLine {
  const sum = sumLine(
    "billed",
    paidParts(bill).map((part) => lineOf("own", part)),
  );
  return { ...sum, usd: ownCost({ bill, summary: null }) };
}

function lineOf(name: BillLine["name"], { requests, usage, costUsd }: BillPart): BillLine {
  const sent = [usage.input, usage.cacheRead, usage.cacheWrite].filter((tokens) => tokens !== null);
  return {
    name,
    requests,
    sent: sent.length === 0 ? null : sent.reduce((sum, tokens) => sum + tokens, 0),
    usd: costUsd.total,
    isLeast: costUsd.lowerBound === true,
  };
}

function sumLine(name: BillLine["name"], lines: readonly BillLine[]): BillLine {
  return {
    name,
    requests: lines.reduce((sum, { requests }) => sum + requests, 0),
    sent: sumOrNull(lines.map(({ sent }) => sent)),
    usd: sumOrNull(lines.map(({ usd }) => usd)),
    isLeast: lines.some(({ isLeast }) => isLeast),
  };
}

function sumOrNull(amounts: readonly (number | null)[]): number | null {
  if (amounts.length === 0) return null;
  return amounts.reduce<number | null>((sum, one) => (sum === null || one === null ? null : sum + one), 0);
}
