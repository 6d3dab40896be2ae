import { expect, it } from "vitest";
import { chartFrame } from "@/components/charts/frame";
import { hindsightMarks } from "./hindsight-marks";

const margin = { left: 0, right: 0, top: 0, bottom: 0 };
/** Ten pixels per request. */
const frame = chartFrame({ width: 1000, height: 10, margin, from: 100, to: 200, top: 1 });

it("marks of the hindsight optimum are at the starts of their requests, if visible", () => {
  expect(hindsightMarks([20, 100, 150, 199, 200], frame)).toEqual([
    { px: 0, request: 100, count: 1 },
    { px: 500, request: 150, count: 1 },
    { px: 990, request: 199, count: 1 },
  ]);
});

it("marks of the hindsight optimum merge if they share a pixel with the first of them", () => {
  const far = chartFrame({ width: 1000, height: 10, margin, from: 0, to: 500, top: 1 });
  expect(hindsightMarks([10, 12, 13, 14, 100], far)).toEqual([
    { px: 20, request: 10, count: 2 },
    { px: 26, request: 13, count: 2 },
    { px: 200, request: 100, count: 1 },
  ]);
});
