import { describe, expect, it } from "vitest";
import type { AccuracyRow } from "@/lib/queries/contract/types";
import { accuracyLines } from "./accuracy";

const row = (estimator: string, bias: number, rest: Partial<AccuracyRow> = {}): AccuracyRow => ({
  estimator,
  pairs: 10,
  bias,
  mape: Math.abs(bias),
  triggerShift: null,
  tokenizer: "rule",
  context: { requests: 10, bias, mape: Math.abs(bias) },
  trigger: null,
  calibration: null,
  ...rest,
});

describe("accuracyLines", () => {
  it("sorts by accuracy, and scales the bars by the largest bias", () => {
    const lines = accuracyLines([row("a", -0.4), row("b", 0.1), row("c", -0.2)]);
    expect(lines.map(({ estimator, bar }) => [estimator, bar])).toEqual([
      ["b", 0.25],
      ["c", 0.5],
      ["a", 1],
    ]);
  });

  it("limits the bar of an extreme estimator, so that the others stay visible", () => {
    expect(accuracyLines([row("a", 8), row("b", -0.5)]).map(({ bar }) => bar)).toEqual([0.5, 1]);
  });

  it("draws no bar without a bias", () => {
    expect(accuracyLines([row("a", 0)])[0]?.bar).toBe(0);
  });

  it("tells apart a trigger that never fires, one not reached, an unknown and a shifted one", () => {
    const trigger = { threshold: 100, recorded: 5, estimated: null };
    const rows = [
      row("a", 0, { trigger, triggerShift: null }),
      row("b", 0, { trigger: { ...trigger, recorded: null, estimated: 9 } }),
      row("c", 0),
      row("d", 0, { trigger: { ...trigger, estimated: 5 }, triggerShift: 0 }),
    ];
    expect(accuracyLines(rows).map(({ triggered }) => triggered)).toEqual([
      "neverFires",
      "notReached",
      "unknown",
      "shifted",
    ]);
  });
});
