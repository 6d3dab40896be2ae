import { expect, it } from "vitest";
import { type Budget, budgetRows, curveCorners } from "./reuse";

const curve = { distances: Int32Array.from([100, 300, 300, 900]), tokens: Float64Array.from([70, 50, 40, 10]) };

it("the reuse table lists each budget once, smallest first, with the value of the curve", () => {
  const budgets: Budget[] = [
    { kind: "swept", budget: 300 },
    { kind: "swept", budget: 299 },
    { kind: "inForce", budget: 900 },
    { kind: "recorded", budget: 900 },
    { kind: "swept", budget: 299 },
  ];
  expect(budgetRows(curve, budgets)).toEqual([
    { kind: "swept", budget: 299, again: 50 },
    { kind: "swept", budget: 300, again: 10 },
    { kind: "recorded", budget: 900, again: 0 },
  ]);
});

it("the reuse table lists only some of many swept budgets, always the first and the last", () => {
  const many = Array.from({ length: 100 }, (_, at): Budget => ({ kind: "swept", budget: 10 * at }));
  const rows = budgetRows(curve, many);
  expect(rows).toHaveLength(12);
  expect([rows[0]?.budget, rows.at(-1)?.budget]).toEqual([0, 990]);
});

it("the reuse curve falls at each budget at which another item fits", () => {
  expect(curveCorners(curve, 500)).toEqual([
    [0, 70],
    [100, 50],
    [300, 10],
  ]);
  expect(curveCorners({ distances: new Int32Array(0), tokens: new Float64Array(0) }, 500)).toEqual([[0, 0]]);
});
