import fc from "fast-check";
import { expect, test } from "vitest";
import { paretoFront, type Tradeoff } from "./pareto";

const metric = fc.integer({ min: 0, max: 6 });
const candidates = fc.array(fc.record<Tradeoff>({ low: metric, high: metric }), { maxLength: 40 });

test("the front has every candidate that no other one beats", () => {
  fc.assert(
    fc.property(candidates, (list) => {
      const beats = (a: Tradeoff, b: Tradeoff) =>
        a.low <= b.low && a.high >= b.high && (a.low < b.low || a.high > b.high);
      expect(paretoFront(list)).toEqual(list.map((one) => !list.some((other) => beats(other, one))));
    }),
  );
});

test("the front of a small example equals the one found by hand", () => {
  const list = [
    { low: 10, high: 1 },
    { low: 20, high: 5 },
    { low: 20, high: 4 },
    { low: 30, high: 5 },
    { low: 40, high: 9 },
    { low: 40, high: 9 },
  ];
  expect(paretoFront(list)).toEqual([true, true, false, false, true, true]);
  expect(paretoFront([])).toEqual([]);
});
