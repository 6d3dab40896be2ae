import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { costOf, dollarsOf } from "./money";

describe("money", () => {
  it("is rounded half up to a whole micro-dollar, once for all charges together", () => {
    expect(costOf([{ tokens: 1, price: 499_999 }], 1)).toBe(0);
    expect(costOf([{ tokens: 1, price: 500_000 }], 1)).toBe(1);
    const two = [
      { tokens: 1, price: 250_000 },
      { tokens: 1, price: 250_000 },
    ];
    expect(costOf(two, 1)).toBe(1);
    expect(dollarsOf(costOf([{ tokens: 1_000_000, price: 5_000_000 }], 1))).toBe(5);
  });

  it("applies a factor before it rounds", () => {
    expect(costOf([{ tokens: 3, price: 1_000_000 }], 0.5)).toBe(2);
    expect(costOf([{ tokens: 10, price: 1_000_000 }], 1.1)).toBe(11);
  });

  it("is exact for any numbers", () => {
    const charge = fc.record({ tokens: fc.nat(1_000_000_000), price: fc.nat(600_000_000) });
    const factor = fc.constantFrom(0.5, 1, 1.1, 2, 2.5, 0.55, 6.6);
    fc.assert(
      fc.property(fc.array(charge, { maxLength: 3 }), factor, (charges, by) => {
        const unit = 10n ** 10n;
        const sum = charges.reduce((all, { tokens, price }) => all + BigInt(tokens) * BigInt(price), 0n);
        expect(costOf(charges, by)).toBe(Number((sum * BigInt(Math.round(by * 1e4)) + unit / 2n) / unit));
      }),
    );
  });
});
