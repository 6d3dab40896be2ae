import { expect, test } from "vitest";
import { countedBySize } from "../columns/token-columns";
import { drawColumns } from "../testing/draw";
import { estimateError } from "./estimate-error";

/** The error of bytes / 4 over requests that each add 40 by the estimate, and `growth` by the recorded usage. */
function errorOf(growth: readonly number[]) {
  let context = 100;
  const steps = growth.map((tokens) => {
    context += tokens;
    return `u20 a20 @${context}`;
  });
  const columns = drawColumns(`u20 a20 @100 ${steps.join(" ")}`);
  return estimateError(countedBySize(columns, "bytes-4"));
}

const EXACT = Array<number>(8).fill(40);

test("the assumed error is the mean error of a request, and larger for an estimate above the mean", () => {
  const error = errorOf([...EXACT, 90, 90]);
  expect([0, 20, 40, 80, 400].map((estimate) => error?.(estimate))).toEqual([10, 10, 10, 20, 100]);
});

test("the assumed error is 0 if usage is exactly twice the estimate, which is then calibrated", () => {
  expect(errorOf(EXACT.map((tokens) => 2 * tokens))?.(1000)).toBe(0);
});

test("the assumed error is unknown for a session with few requests", () => {
  expect(errorOf([40, 90])).toBeUndefined();
});
