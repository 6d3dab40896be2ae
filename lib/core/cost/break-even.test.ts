import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LISTED_PRICES } from "../prices/price-list";
import { ratesFor } from "../prices/rates-at";
import { breakEvenRequests, paidAfter } from "./break-even";
import { costOf } from "./money";

const NOON = Date.parse("2026-11-22T12:00:00Z");
/** Medians over many recordings: contexts before and after a compaction, the unchanged prefix, and a summary. */
const SIZES = { before: 167_000, after: 53_500, prefix: 20_000 };
const SUMMARY = 8_200;

function requestsOf(model: string, writes: "write5m" | "write1h" | "input"): number {
  const entry = LISTED_PRICES.find(model);
  const before = entry && ratesFor(entry, NOON, SIZES.before);
  const after = entry && ratesFor(entry, NOON, SIZES.after);
  if (before === undefined || after === undefined) throw new Error(`no price of ${model}`);
  const cost = (...charges: readonly (readonly [tokens: number, price: number])[]) =>
    costOf(
      charges.map(([tokens, price]) => ({ tokens, price })),
      1,
    );
  return breakEvenRequests({
    call: cost([SIZES.before, before.read], [SUMMARY, before.output]),
    first: cost([SIZES.prefix, after.read], [SIZES.after - SIZES.prefix, after[writes]]),
    firstWithout: cost([SIZES.before, before.read]),
    later: cost([SIZES.after, after.read]),
    laterWithout: cost([SIZES.before, before.read]),
  });
}

describe("break-even of a compaction", () => {
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
    // This crosses the size from which the whole request costs more.
    ["claude-haiku-5-5", "write5m", 4.2],
  ] as const)("with %s and uncached tokens at the price `%s`, is %f requests", (model, writes, requests) => {
    const digits = Number.isInteger(requests) ? 0 : 1;
    expect(Number(requestsOf(model, writes).toFixed(digits))).toBe(requests);
  });

  it("is shown as the first whole request at which both sums are equal", () => {
    expect([1, 7.2, 8].map(paidAfter)).toEqual([1, 8, 8]);
  });

  it("is not reached if later requests do not cost less", () => {
    const amounts = { call: 0, first: 0, firstWithout: 0, later: 5, laterWithout: 5 };
    expect(breakEvenRequests(amounts)).toBe(Number.POSITIVE_INFINITY);
  });

  it("is 1 if the first request saves the whole cost", () => {
    // After a pause everything would have been written again: 160,000 tokens against 40,000.
    const amounts = { call: 130_000, first: 250_000, firstWithout: 1_000_000, later: 20_000, laterWithout: 80_000 };
    expect(breakEvenRequests(amounts)).toBe(1);
  });

  it("is the number of requests at which the sums with and without it are equal", () => {
    const amount = fc.integer({ min: 0, max: 5_000_000 });
    fc.assert(
      fc.property(amount, amount, amount, amount, amount, (call, first, firstWithout, later, laterWithout) => {
        fc.pre(later < laterWithout);
        const requests = breakEvenRequests({ call, first, firstWithout, later, laterWithout });
        fc.pre(requests > 1);
        const [kept, without] = [call + first + (requests - 1) * later, firstWithout + (requests - 1) * laterWithout];
        expect(Math.abs(kept - without)).toBeLessThan(1e-6 * Math.max(1, Math.abs(kept)));
      }),
    );
  });
});
