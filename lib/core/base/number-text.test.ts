import fc from "fast-check";
import { expect, it } from "vitest";
import { countText, usdText } from "./number-text";

const byLanguage = (amount: number, digits: number) =>
  `$${amount.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;

it("the formatter writes a negative count with a minus sign, not a hyphen", () => {
  expect([-72, -12_267, 1234].map(countText)).toEqual(["−72", "−12,267", "1,234"]);
});

it("the formatter writes dollars in English format, with more digits for small amounts", () => {
  expect([null, 0, 0.000123, 0.0123456, 0.5, 1.005, 1234567.891].map(usdText)).toEqual([
    ...["n/a", "$0.00", "$0.000123", "$0.0123", "$0.5000", "$1.01", "$1,234,567.89"],
  ]);
  const amounts = fc.oneof(
    fc.integer({ min: 0, max: 10 ** 12 }).map((micro) => micro / 1e6),
    fc.double({ min: 0, max: 1e9, noNaN: true }),
  );
  fc.assert(
    fc.property(amounts, (amount) => {
      expect(usdText(amount)).toBe(byLanguage(amount, amount === 0 || amount >= 1 ? 2 : amount >= 0.01 ? 4 : 6));
    }),
    { numRuns: 2000 },
  );
});
