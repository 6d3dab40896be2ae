import fc from "fast-check";
import { expect, it } from "vitest";
import { BUDGETED_METRICS, budgetOf, judged } from "./budget";
import { SWEPT_METRICS, type SweptMetrics, valuesBy } from "./values";

const metrics = (value: number | null): SweptMetrics => valuesBy(SWEPT_METRICS, () => value);

function check(text: string, value: number | null, baseline?: number | null) {
  const budget = budgetOf(text);
  if (budget === undefined) throw new Error(`${text} is a budget`);
  return judged(budget, metrics(value), baseline === undefined ? undefined : metrics(baseline));
}

it.each([
  ["cost<=1.05x baseline", 105, 100, true],
  ["cost <= 1.05 x baseline", 105.1, 100, false],
  ["requestsOverWindow==0", 0, undefined, true],
  ["requestsOverWindow == 0", 1, undefined, false],
  ["peak<200000", 200_000, undefined, false],
  ["keptTokens>=0.9x baseline", 90, 100, true],
  ["compactions>1e0", 2, undefined, true],
])("the budget %s with value %s and baseline %s: %s", (text, value, baseline, holds) => {
  expect(check(text, value, baseline).holds).toBe(holds);
});

it("a budget fails if the value is unknown", () => {
  expect(check("cost<=1", null)).toMatchObject({ value: null, limit: 1, holds: false });
  expect(check("cost<=2x baseline", 1, null)).toMatchObject({ limit: null, holds: false });
  expect(check("cost<=2x baseline", 1)).toMatchObject({ limit: null, holds: false });
});

it.each([
  "",
  "cost",
  "cost<=",
  "price<=1",
  "cost=1",
  "cost<=-1",
  "cost<=1y baseline",
  "constructor<=1",
  "final<=1",
  "cost<=1; x",
])("%j is not a budget", (text) => {
  expect(budgetOf(text)).toBeUndefined();
});

it("a metric meets a limit equal to its value, and fails any smaller limit", () => {
  const value = fc.integer({ min: 1, max: 1e12 });
  fc.assert(
    fc.property(fc.constantFrom(...BUDGETED_METRICS), value, ({ key }, amount) => {
      expect(check(`${key}<=1x baseline`, amount, amount).holds).toBe(true);
      expect(check(`${key}<1x baseline`, amount, amount).holds).toBe(false);
      expect(check(`${key}<=${amount}`, amount + 1).holds).toBe(false);
    }),
  );
});
