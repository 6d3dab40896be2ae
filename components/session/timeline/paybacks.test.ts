import { expect, test } from "vitest";
import { paybacks } from "./beside-chart";

const cost = (request: number, breakEven: number | undefined) => ({
  request,
  rewriting: 1,
  call: 1,
  callIsRecorded: false,
  breakEven,
});

test("a compaction may pay off until the next one, or until the end of the session", () => {
  expect(paybacks([cost(10, 6.4), cost(20, 12), cost(30, undefined), cost(40, 5)], 44)).toEqual([
    { request: 10, end: 16.4, isPaid: true },
    { request: 20, end: 30, isPaid: false },
    { request: 40, end: 44, isPaid: false },
  ]);
});

test("a compaction that does not pay off is drawn up to the last request at which it could have", () => {
  expect(paybacks([cost(10, Number.POSITIVE_INFINITY)], 20)).toEqual([{ request: 10, end: 20, isPaid: false }]);
});
