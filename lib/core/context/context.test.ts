import fc from "fast-check";
import { expect, test } from "vitest";
import { downsample } from "../analysis/downsample";
import { recordedContext } from "../columns/columns";
import { CLEARED_TOKENS } from "../columns/membership";
import { pointCount } from "../columns/points";
import { countedBySize, sizeTokenColumn } from "../columns/token-columns";
import type { ModelWindow } from "../prices/windows";
import { arbitraryDrawing } from "../testing/arbitrary";
import { drawColumns } from "../testing/draw";
import { breakdownAt, messagesRow } from "./breakdown";
import { calibrate, scaledTokens } from "./calibration";
import { recordedSeries, shareOut } from "./recorded";
import { resolveWindow } from "./window";

test("recorded categories and the unattributed part sum to the recorded usage at every request", () => {
  fc.assert(
    fc.property(arbitraryDrawing, (drawing) => {
      const columns = drawColumns(drawing);
      const series = recordedSeries(countedBySize(columns, "bytes-4"));
      for (let point = 0; point < pointCount(columns); point++) {
        const usage = recordedContext(columns, point);
        if (usage > 0) expect(series.context[point]).toBe(usage);
        expect(series.estimated[point]).toBe(usage > 0 ? 0 : 1);
        const sum = series.byCategory.reduce((total, column) => total + (column[point] ?? 0), 0);
        expect(sum + (series.unattributed[point] ?? 0)).toBe(series.context[point]);
      }
    }),
  );
});

test("a breakdown sums to the window for any window and trigger", () => {
  const window = fc.integer({ min: 1, max: 5000 });
  fc.assert(
    fc.property(
      arbitraryDrawing,
      window,
      fc.option(fc.integer({ min: -5000, max: 5000 })),
      (drawing, size, trigger) => {
        const columns = drawColumns(drawing);
        const series = recordedSeries(countedBySize(columns, "bytes-4"));
        for (let point = 0; point < pointCount(columns); point++) {
          const { rows, total } = breakdownAt({ series, request: point, window: size, trigger: trigger ?? undefined });
          expect(rows.reduce((sum, row) => sum + row.tokens, 0)).toBe(size);
          expect(total?.tokens).toBe(series.context[point]);
          for (const row of rows) {
            if (row.id !== "residual") expect(row.tokens).toBeGreaterThanOrEqual(0);
            if (row.id === "autocompactBuffer") expect(row.tokens).toBeLessThanOrEqual(size);
            if (row.parts) expect(row.parts.reduce((sum, part) => sum + part.tokens, 0)).toBe(row.tokens);
          }
        }
      },
    ),
  );
});

test("a breakdown equals one computed by hand", () => {
  const columns = drawColumns("u10 a20 @510 u5 c4 r30 a1 @600");
  const series = recordedSeries(countedBySize(columns, "bytes-4"));
  const { rows, total } = breakdownAt({ series, request: 2, window: 1000, trigger: 800 });
  expect(total).toEqual({ tokens: 600, kind: "recorded" });
  expect(rows.map(({ id, tokens, kind }) => [id, tokens, kind])).toEqual([
    ["overheadInferred", 500, "inferred"],
    ["messages", 69, "inferred"],
    ["unattributed", 31, "derived"],
    ["freeSpace", 200, "derived"],
    ["autocompactBuffer", 200, "derived"],
  ]);
});

test("a trigger above the window leaves no buffer", () => {
  const columns = drawColumns("u10 a20 @510");
  const series = recordedSeries(countedBySize(columns, "bytes-4"));
  const { rows } = breakdownAt({ series, request: 0, window: 1000, trigger: 2000 });
  expect(rows.slice(-1)).toEqual([{ id: "freeSpace", tokens: 490, kind: "derived" }]);
});

test("the context of a request without usage is the last recorded context plus the estimate of newer items", () => {
  const of = (drawing: string) => {
    const columns = drawColumns(drawing);
    const series = recordedSeries(countedBySize(columns, "bytes-4"));
    return [Array.from(series.context), Array.from(series.estimated)];
  };
  expect(of("u10 a20 @510 u5 a1 u9 a1 @999")).toEqual([
    [510, 535, 999],
    [0, 1, 0],
  ]);
  expect(of("u10 a20 @510 B s5 u5 a1")).toEqual([
    [510, 510],
    [0, 1],
  ]);
  // A cleared result of 100 is no longer sent, but its placeholder is.
  expect(of("u10 c5 @510 r100 a1 @620 u5 -1 a1 u7 a1 @600")).toEqual([
    [510, 620, 620 + 1 + 5 - 100 + CLEARED_TOKENS, 600],
    [0, 0, 1, 0],
  ]);
  expect(of("u10 a20 u5 a1")).toEqual([
    [10, 35],
    [1, 1],
  ]);
});

test("overhead is capped by the recorded total, and a factor leaves the rest unattributed", () => {
  const shared = (total: number, factor: number | undefined) => {
    const parts = [100, ...Array(9).fill(0), 50, 50, ...Array(6).fill(0)];
    const unattributed = shareOut(total, parts, factor);
    expect(parts.reduce((sum, part) => sum + part, unattributed)).toBe(total);
    return [unattributed, parts[0], parts[10], parts[11]];
  };
  expect(shared(60, undefined)).toEqual([0, 60, 0, 0]);
  expect(shared(400, 1.2)).toEqual([180, 100, 60, 60]);
  expect(shared(150, 1.2)).toEqual([0, 100, 25, 25]);
});

test("message parts are estimates times the factor, or unscaled if the factor is out of range", () => {
  const parts = (perRequest: number) => {
    const drawing = Array.from({ length: 20 }, (_, at) => `u100 a0 @${5000 + at * perRequest}`).join(" ");
    const series = recordedSeries(countedBySize(drawColumns(drawing), "bytes-4"));
    return { factor: series.calibration?.factor, tokens: messagesRow(series, 19, false).tokens };
  };
  // The overhead is the rest of the first request's context beside its 100 tokens.
  expect(parts(150)).toEqual({ factor: 1.5, tokens: 100 + 19 * 150 });
  expect(parts(1000)).toEqual({ factor: 10, tokens: 20 * 100 });
});

test("calibration needs eight pairs and an outlier does not move it", () => {
  const steps = (count: number, factor: number) =>
    Array.from({ length: count }, (_, i) => `u${100} a0 @${1000 + (i + 1) * 100 * factor}`).join(" ");
  const few = drawColumns(steps(8, 2));
  expect(calibrate(countedBySize(few, "bytes-4"))).toBeUndefined();
  const enough = drawColumns(`${steps(20, 2)} u100 a0 @90000`);
  const fitted = calibrate(countedBySize(enough, "bytes-4"));
  expect(fitted).toMatchObject({ factor: 2, pairs: 20 });
});

test("scaled tokens sum to the scaled sum over every range, within one token", () => {
  fc.assert(
    fc.property(arbitraryDrawing, fc.double({ min: 0.2, max: 4, noNaN: true }), (drawing, factor) => {
      const columns = drawColumns(drawing);
      const tokens = sizeTokenColumn(columns, "bytes-4");
      const scaled = scaledTokens({ columns, tokens }, factor);
      let sum = 0;
      let scaledSum = 0;
      for (let row = columns.overheadRows; row < columns.length; row++) {
        sum += tokens[row] ?? 0;
        scaledSum += scaled[row] ?? 0;
        expect(Math.abs(scaledSum - sum * factor)).toBeLessThanOrEqual(0.5 + 1e-6);
        expect(scaled[row]).toBeGreaterThanOrEqual(0);
      }
    }),
  );
});

test("downsampling keeps each bucket's extremes and both ends, within the maximum", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer(), { minLength: 1, maxLength: 2000 }),
      fc.integer({ min: 4, max: 400 }),
      (values, max) => {
        const rows = downsample(values, 0, values.length, max);
        expect(rows.length).toBeLessThanOrEqual(Math.max(max, 4));
        expect(rows[0]).toBe(0);
        expect(rows.at(-1)).toBe(values.length - 1);
        const drawn = Array.from(rows, (row) => values[row] ?? 0);
        const limits = (list: number[]) => [
          list.reduce((a, b) => Math.min(a, b)),
          list.reduce((a, b) => Math.max(a, b)),
        ];
        expect(limits(drawn)).toEqual(limits(values));
        for (let i = 1; i < rows.length; i++) expect(rows[i]).toBeGreaterThan(rows[i - 1] ?? -1);
      },
    ),
  );
});

test("the window comes from the first source that states one", () => {
  const facts = { known: [{ tokens: 200_000 }], byDefault: 128_000 };
  const everything = { ...facts, user: 5, settings: 6, recorded: 7 };
  expect(resolveWindow(everything)).toEqual({ tokens: 5, source: "user" });
  expect(resolveWindow({ ...everything, user: undefined })).toEqual({ tokens: 6, source: "settings" });
  expect(resolveWindow({ ...facts, recorded: 258_400 })).toEqual({ tokens: 258_400, source: "recorded" });
  expect(resolveWindow({ ...facts, observed: 150_000 })).toEqual({ tokens: 200_000, source: "known-model" });
  expect(resolveWindow({ ...facts, known: [], observed: 100 })).toEqual({ tokens: 128_000, source: "default" });
});

test("the largest known window of a session's models counts, else an assumed one", () => {
  const [known, assumed] = [{ tokens: 200_000 }, { tokens: 200_000, isAssumed: true } as const];
  const windowOf = (...models: readonly ModelWindow[]) => resolveWindow({ known: models, byDefault: 128_000 });
  expect(windowOf(known, { tokens: 1_000_000 })).toEqual({ tokens: 1_000_000, source: "known-model" });
  expect(windowOf(assumed)).toEqual({ tokens: 200_000, source: "assumed" });
  expect(windowOf(assumed, known)).toEqual({ tokens: 200_000, source: "known-model" });
});

test("a context above the window corrects it to the model's larger window or to a lower bound", () => {
  const assumed = { tokens: 200_000, larger: 1_000_000, isAssumed: true } as const;
  const windowOf = (known: readonly ModelWindow[], observed: number) =>
    resolveWindow({ known, observed, byDefault: 128_000 });
  const corrected = { tokens: 1_000_000, source: "known-model", exceeded: 200_000 };
  expect(windowOf([assumed], 200_000)).toEqual({ tokens: 200_000, source: "assumed" });
  expect(windowOf([assumed], 200_001)).toEqual(corrected);
  expect(windowOf([assumed], 1_000_001)).toEqual({ tokens: 1_000_001, source: "inferred", exceeded: 200_000 });
  expect(windowOf([{ tokens: 200_000 }], 250_000)).toEqual({ tokens: 250_000, source: "inferred", exceeded: 200_000 });
  expect(windowOf([], 300_000)).toEqual({ tokens: 300_000, source: "inferred", exceeded: 128_000 });
});

test("the agent's cap lowers every window except the user's", () => {
  const facts = { known: [{ tokens: 200_000 }], byDefault: 128_000, cap: 90_000 };
  expect(resolveWindow(facts)).toEqual({ tokens: 90_000, source: "settings" });
  expect(resolveWindow({ ...facts, recorded: 80_000 })).toEqual({ tokens: 80_000, source: "recorded" });
  expect(resolveWindow({ ...facts, user: 150_000 })).toEqual({ tokens: 150_000, source: "user" });
});
