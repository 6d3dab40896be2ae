import { expect, it } from "vitest";
import type { BillWire } from "../contract/types";
import { costOutsideChain } from "./own-cost";

const NONE: BillWire = { own: null, inherited: null, branches: null, compactions: null, subagents: null, passes: null };

const part = (requests: number, total: number | null): BillWire["own"] => ({
  requests,
  usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: null },
  costUsd: { read: 0, write: 0, plain: 0, output: 0, total, input: null, lowerBound: false },
});

it("sums priced requests outside the main chain, and is absent if there are none", () => {
  const beside = (bill: Partial<BillWire>) => costOutsideChain({ bill: { ...NONE, ...bill }, summary: null });
  expect(beside({ own: part(64, 7.56), branches: part(2, 0.08), compactions: part(1, 0.5) })).toEqual({
    requests: 3,
    usd: 0.58,
  });
  expect(beside({ own: part(64, 7.56), subagents: part(3, 1) })).toBeNull();
  expect(beside({ branches: part(2, null) })).toBeNull();
});
