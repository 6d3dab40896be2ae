import { expect, it } from "vitest";
import { chartFrame } from "@/components/charts/frame";
import { paidWords } from "./beside-chart";

const frame = chartFrame({
  width: 1000,
  height: 300,
  from: 0,
  to: 100,
  top: 1,
  margin: { left: 0, right: 0, top: 0, bottom: 0 },
});
const paid = (request: number, end: number) => ({ request, end, isPaid: true });

it("labels a compaction as paid off if there is space, and never over the labels of another row", () => {
  expect(paidWords(frame, [paid(10, 20), paid(50, 60)], 80)).toEqual([200, 600]);
  expect(paidWords(frame, [paid(10, 20), paid(25, 60)], 80)).toEqual([600]);
  expect(paidWords(frame, [paid(10, 95)], 80)).toEqual([]);
  expect(paidWords(frame, [{ request: 10, end: 20, isPaid: false }], 80)).toEqual([]);
  expect(paidWords(frame, [paid(10, 22), paid(50, 80)], 80, [200, 600])).toEqual([800]);
  expect(paidWords(frame, [], 80)).toEqual([]);
});
