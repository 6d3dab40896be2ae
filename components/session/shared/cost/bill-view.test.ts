import { describe, expect, it } from "vitest";
import { LISTED_PRICES } from "@/lib/core/prices/price-list";
import { drawRequests } from "@/lib/core/testing/draw-requests";
import type { BillWire, Cost } from "@/lib/queries/contract/types";
import { toCost } from "@/lib/queries/cost/cost";
import { billView } from "./bill-view";

const session = {
  ...{ file: "a.jsonl", sessionId: null, agent: null, agentVersion: null, formatVersion: null, endedAt: null },
  compactions: [],
};
const PLAIN = toCost(
  session,
  drawRequests([{ write: 1000 }, { read: 1000, write: 500 }, { write: 10 }]),
  LISTED_PRICES,
);

type Part = NonNullable<BillWire["own"]>;

/** A part of a bill with as many tokens and dollars as requests. */
function part(requests: number, total: number | null = requests): Part {
  const usage = { input: requests, output: 0, cacheRead: 0, cacheWrite: null, reasoning: null };
  const costUsd = { read: 0, write: 0, plain: total, output: 0, total, input: total, lowerBound: false };
  return { requests, usage, costUsd };
}

const NOTHING = { own: null, inherited: null, branches: null, compactions: null, subagents: null, passes: null };

function recorded(bill: Partial<BillWire>, more: Partial<Cost> = {}): Cost {
  return { ...PLAIN, bill: { ...NOTHING, ...bill }, ...more };
}

function linesOf(cost: Cost, listed?: Partial<BillWire>) {
  const { lines } = billView(cost, listed && { ...NOTHING, ...listed });
  return lines.map(({ name, requests, sent, usd }) => [name, requests, sent, usd]);
}

describe("the bill on the session page", () => {
  it("has no lines if all requests are the session's own", () => {
    const { lines, billed, together } = billView(PLAIN, undefined);
    expect([lines, billed.requests, together]).toEqual([[], 3, undefined]);
    expect(billed.usd).toBeCloseTo(PLAIN.costUsd.total ?? 0, 9);
  });

  it("adds branches and summary calls, and shows subagents separately and in the sum of all", () => {
    const bill = { own: part(4), passes: part(2), branches: part(2), compactions: part(1), subagents: part(3) };
    expect(linesOf(recorded(bill))).toEqual([
      ["own", 4, 4, 4],
      ["passes", 2, 2, 2],
      ["branches", 2, 2, 2],
      ["compactions", 1, 1, 1],
      ["billed", 7, 7, 7],
      ["subagents", 3, 3, 3],
      ["together", 10, 10, 10],
    ]);
  });

  it("omits the line of further passes if a captured stream states only the sum of its requests", () => {
    expect(linesOf(recorded({ own: part(0), passes: part(1) }))).toEqual([]);
  });

  it("takes inherited requests and subagents from the list, which knows other files", () => {
    const inherited = { ...part(2), from: ["parent"] };
    const listed = { own: part(1), inherited, subagents: { ...part(3), files: 1 } };
    expect(linesOf(recorded({ own: part(3) }), listed)).toEqual([
      ["own", 1, 1, 1],
      ["billed", 1, 1, 1],
      ["subagents", 3, 3, 3],
      ["together", 4, 4, 4],
      ["inherited", 2, 2, 2],
    ]);
  });

  it("is the file's own if the list has read fewer requests or used other prices", () => {
    const listed = { own: part(2), subagents: part(3) };
    for (const cost of [
      recorded({ own: part(3), passes: part(1) }),
      recorded({ own: part(2), passes: part(1) }, { on: "claude-opus-5-5" }),
      recorded({ own: part(2), passes: part(1) }, { priceDate: "2026-01-01" }),
    ])
      expect(linesOf(cost, listed).map(([name]) => name)).toEqual(["own", "passes"]);
  });

  it("is 0 if everything is inherited, and n/a if a request has no price", () => {
    const inherited = { ...part(2), from: [] };
    expect(billView(recorded({ inherited }), undefined).billed).toMatchObject({ requests: 0, usd: 0 });
    const unpriced = billView(recorded({ own: part(1), branches: part(1, null), subagents: part(1) }), undefined);
    expect([unpriced.billed.usd, unpriced.together?.usd]).toEqual([null, null]);
  });
});
