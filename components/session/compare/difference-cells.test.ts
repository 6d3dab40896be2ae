import { expect, test } from "vitest";
import { createFormat } from "@/components/format/format";
import type { MetricKey } from "@/lib/core/metrics/registry";
import { metricOf } from "@/lib/core/metrics/values";
import { metricText } from "./difference-table";

const format = createFormat("en-GB");
const text = (metric: MetricKey, value: number | null, base: number | null) =>
  metricText(metricOf(metric), value, base, format, (count) => `${count} req.`);

test("counts differ by a number, sums by a percentage, and requests have their unit", () => {
  expect(text("peak", 176_794, 156_579)).toEqual({ value: "176,794", change: "+20,215" });
  expect(text("tokensSent", 14_310_000, 18_900_000)).toEqual({
    value: "14.31\u00a0M",
    exact: "14,310,000",
    change: "−24.3\u00a0%",
  });
  expect(text("shortestCycle", 43, 61)).toEqual({ value: "43 req.", change: "−18" });
  expect(text("compactions", 2, 2).change).toBe("±0");
  expect(text("tokensSent", 5, 5).change).toBe("±0");
});

test("absent values are shown as n/a, never as 0", () => {
  expect(text("shortestCycle", null, 61)).toEqual({ value: null, change: null });
  expect(text("shortestCycle", 43, null)).toEqual({ value: "43 req.", change: null });
  expect(text("summaryCallTokens", 1200, 0).change).toBeNull();
});
