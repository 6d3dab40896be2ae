import { expect, test } from "vitest";
import { chartFrame } from "@/components/charts/frame";
import type { CacheMiss } from "@/lib/core/cost/cache-misses";
import { placedMarks } from "./placed-marks";

const MARGIN = { left: 0, right: 0, top: 0, bottom: 0 };

function missOf(request: number): CacheMiss {
  return { request, cause: "idle", tokens: 1, cost: 1, gap: 1 };
}

test("marks are at their requests, with a text only if it ends before the next mark", () => {
  const frame = chartFrame({ width: 400, height: 100, margin: MARGIN, from: 0, to: 100, top: 1 });
  const marks = placedMarks(
    [missOf(50), missOf(8), missOf(10), missOf(99), missOf(100)],
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
