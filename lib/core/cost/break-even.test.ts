import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LISTED_PRICES, ratesFor } from "../prices/price-list";
import { breakEvenRequests } from "./break-even";
import { costOf } from "./money";

const NOON = Date.parse("2026-11-22T12:00:00Z");
/** Medians over many recordings: contexts before and after a compaction, the prefix that stayed, and a summary. */
const SIZES = { before: 167_000, after: 53_500, prefix: 20_000 };
const SUMMARY = 8_200;

function requestsOf(model: string, writes: "write5m" | "write1h" | "input"): number {
  const entry = LISTED_PRICES.find(model);
  const before = entry && ratesFor(entry, NOON, SIZES.before);
  const after = entry && ratesFor(entry, NOON, SIZES.after);
  if (before === undefined || after === undefined) throw new Error(`no price of ${model}`);
  const call = costOf(
    [
      { tokens: SIZES.before, price: before.read },
      { tokens: SUMMARY, price: before.output },
    ],
    1,
  );
  return breakEvenRequests(SIZES, { before, after, anew: after[writes], factor: 1 }, call);
}

describe("the requests after which a compaction has paid for itself", () => {
  // Computed by hand for the first: (167,000 + 8,200 × 50 + 33,500 × 11.5) ÷ 113,500.
  it.each([
    ["claude-opus-4-5", "write5m", 8.5],
    ["claude-opus-4-5", "write1h", 10.7],
    ["claude-sonnet-4-6", "write5m", 8.5],
    ["claude-opus-5-5", "write5m", 15.8],
    ["claude-opus-5-5", "write1h", 20.2],
    ["gpt-6.1-sol", "write5m", 15.8],
    ["claude-fable-5-1", "write5m", 30],
    ["claude-fable-5-1", "write1h", 39],
    ["gpt-5", "input", 9.9],
    ["gpt-5.5", "input", 8.5],
    // This crosses the size from which all of a request is dearer.
    ["claude-haiku-5-5", "write5m", 4.2],
  ] as const)("are with %s, writing by %s, %f", (model, writes, requests) => {
    const digits = Number.isInteger(requests) ? 0 : 1;
    expect(Number(requestsOf(model, writes).toFixed(digits))).toBe(requests);
  });

  it("are infinitely many where reading what is left costs no less", () => {
    const rates = { before: { read: 500_000 }, after: { read: 500_000 }, anew: 6_250_000, factor: 1 };
    expect(breakEvenRequests({ before: 50_000, after: 50_000, prefix: 0 }, rates, 0)).toBe(Number.POSITIVE_INFINITY);
  });

  it("are those after which the sums with and without it are equal", () => {
    const tokens = fc.integer({ min: 1, max: 500_000 });
    const price = fc.integer({ min: 1, max: 5_000_000 });
    fc.assert(
      fc.property(tokens, tokens, tokens, price, price, tokens, (before, after, prefix, read, anew, call) => {
        fc.pre(after < before && prefix <= after);
        const rates = { before: { read }, after: { read }, anew, factor: 1.1 };
        const requests = breakEvenRequests({ before, after, prefix }, rates, call);
        const one = (sent: number, rate: number) => (sent * rate * 1.1) / 1e6;
        const without = requests * one(before, read);
        const kept = call + one(prefix, read) + one(after - prefix, anew) + (requests - 1) * one(after, read);
        expect(kept).toBeCloseTo(without, 3);
      }),
    );
  });
});
