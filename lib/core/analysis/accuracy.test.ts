import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { recordedContext } from "../columns/columns";
import { countedBySize, sizeTokenColumn } from "../columns/token-columns";
import { usagePairs } from "../context/usage-pairs";
import { arbitraryDrawing } from "../testing/arbitrary";
import { drawColumns } from "../testing/draw";
import { accuracyOf } from "./accuracy";

/** The accuracy of bytes / 4 over a generated session. */
function of(drawing: string, threshold?: number) {
  const columns = drawColumns(drawing);
  return accuracyOf(countedBySize(columns, "bytes-4"), threshold);
}

/** A session whose context starts at 1,000 and grows by `estimate` tokens a request, recorded as `factor` times as much. */
function growing(requests: number, estimate: number, factor: number): string {
  const step = (request: number) => `a${estimate / 2} @${1000 + request * estimate * factor} u${estimate / 2}`;
  return `u5 ${Array.from({ length: requests }, (_, request) => step(request)).join(" ")}`;
}

describe("accuracyOf", () => {
  it("reports no error for an estimate that equals the recorded usage", () => {
    expect(of(growing(10, 100, 1), 1500)).toEqual({
      pairs: 9,
      bias: 0,
      mape: 0,
      context: { requests: 9, bias: 0, mape: 0 },
      trigger: { threshold: 1500, recorded: 5, estimated: 5, shift: 0 },
      calibration: { factor: 1, pairs: 9, outOfSampleError: 0, outOfSampleBias: 0, doubts: [] },
    });
  });

  it("reports an estimate of half the usage as 50 % too low and late, which calibration corrects", () => {
    const accuracy = of(growing(20, 100, 2), 2000);
    expect(accuracy).toMatchObject({ pairs: 19, bias: -0.5, mape: 0.5 });
    expect(accuracy?.trigger).toEqual({ threshold: 2000, recorded: 5, estimated: 10, shift: 5 });
    expect(accuracy?.calibration).toMatchObject({ factor: 2, pairs: 19 });
    expect(accuracy?.calibration?.outOfSampleError).toBeLessThan(0.01);
    expect(accuracy?.context.bias).toBeLessThan(-0.2);
    expect(accuracy?.context.mape).toBeCloseTo(-(accuracy?.context.bias ?? 0), 12);
  });

  it("reports a bias above 0 and an early trigger for an estimate that is too high", () => {
    const accuracy = of(growing(20, 100, 0.5), 1500);
    expect(accuracy).toMatchObject({ bias: 1, mape: 1 });
    expect(accuracy?.trigger?.shift).toBe(-5);
  });

  it("averages errors of opposite sign to a small bias, but not to a small mean error", () => {
    // The estimate is 100 twice; the recorded growth is 50, then 150.
    expect(of("u5 a50 @1000 u50 a50 @1050 u50 a1 @1200")).toMatchObject({ pairs: 2, bias: 0, mape: 2 / 3 });
  });

  it("skips pairs across a boundary and pairs where the context did not grow", () => {
    expect(of("u5 a50 @1000 u50 a50 @1100 B s10 u5 a50 @400 u50 a50 @500 u50 a1 @450")?.pairs).toBe(2);
  });

  it("is undefined if no two neighbouring requests can be compared", () => {
    for (const drawing of ["", "u5 a5", "u5 a5 @100", "u5 a5 @100 u5 a5 u5 a5 @150", "u5 a5 @100 u5 a5 @90"]) {
      expect(of(drawing, 50)).toBeUndefined();
    }
  });

  it("has no trigger without a threshold, and states which series never reaches it", () => {
    expect(of(growing(10, 100, 2))?.trigger).toBeUndefined();
    expect(of(growing(10, 100, 2), 2800)?.trigger).toEqual({
      threshold: 2800,
      recorded: 9,
      estimated: undefined,
      shift: undefined,
    });
    expect(of(growing(10, 100, 1), 9999)?.trigger).toMatchObject({ recorded: undefined, shift: undefined });
  });

  it("continues the calibrated estimate after a recorded compaction as if nothing was compacted", () => {
    const drawing = `${growing(10, 100, 2)} B s10 ${growing(10, 100, 2).slice(3)}`;
    const trigger = of(drawing, 4000)?.trigger;
    expect(trigger?.recorded).toBe(15);
    expect(trigger?.estimated).toBeUndefined();
    // There are too few pairs to calibrate, so the size after the compaction is unknown.
    expect(of(`${growing(4, 100, 2)} B s10 ${growing(4, 100, 2).slice(3)}`, 2000)?.trigger?.recorded).toBeUndefined();
  });

  it("takes the overhead from the first request with usage, wherever that request is", () => {
    const late = of(`u5 a5 u5 a5 ${growing(10, 100, 2).slice(3)}`);
    expect(late?.context.requests).toBe(9);
    expect(late?.pairs).toBe(9);
  });

  it("does not mistake a rollback for a compaction", () => {
    const drawing = `${growing(5, 100, 1)} <2 ${growing(12, 100, 1).slice(3)}`;
    expect(of(drawing, 1900)?.trigger?.recorded).toBe(5 + 9);
  });

  it("agrees with its definition on any generated session", () => {
    fc.assert(
      fc.property(arbitraryDrawing, fc.integer({ min: 1, max: 4000 }), (drawing, threshold) => {
        const columns = drawColumns(drawing);
        const tokens = sizeTokenColumn(columns, "bytes-4");
        const accuracy = accuracyOf({ columns, tokens }, threshold);
        const pairs = usagePairs({ columns, tokens });
        expect(accuracy === undefined).toBe(pairs.length === 0);
        if (accuracy === undefined) return;
        const recorded = pairs.map(
          ({ request }) => recordedContext(columns, request) - recordedContext(columns, request - 1),
        );
        expect(pairs.map((pair) => pair.recorded)).toEqual(recorded);
        expect(accuracy.mape).toBeGreaterThanOrEqual(0);
        expect(accuracy.context.mape).toBeGreaterThanOrEqual(Math.abs(accuracy.context.bias) - 1e-12);
        expect(accuracy.calibration === undefined).toBe(pairs.length < 8);
        const { recorded: at, estimated, shift } = accuracy.trigger ?? {};
        if (at !== undefined && estimated !== undefined) expect(shift).toBe(estimated - at);
        else expect(shift).toBeUndefined();
      }),
    );
  });
});
