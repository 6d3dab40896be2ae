import { expect, test } from "vitest";
import { chartFrame } from "@/components/charts/frame";
import type { CacheMiss } from "@/lib/core/cost/cache-misses";
import { placedMarks } from "./placed-marks";

const MARGIN = { left: 0, right: 0, top: 0, bottom: 0 };

function broken(request: number): CacheMiss {
  return { request, cause: "idle", tokens: 1, cost: 1, gap: 1 };
}

test("marks are placed over their requests, with words only if these end before the next mark", () => {
  const frame = chartFrame({ width: 400, height: 100, margin: MARGIN, from: 0, to: 100, top: 1 });
  const marks = placedMarks(
    [broken(50), broken(8), broken(10), broken(99), broken(100)],
    frame,
    () => "paused for long",
  );
  expect(marks.map(({ request, label }) => [request, label !== undefined])).toEqual([
    [8, false],
    [10, true],
    [50, true],
    [99, false],
  ]);
  expect(marks[2]?.x).toBe(202.5);
});
