import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { lackedFigures, summedFigures } from "./sums";
import { SWEPT_FIGURES, type SweptFigures, valuesBy } from "./values";

/** One of the figures of a sweep has no value over several recordings. */
vi.mock("./registry", async (original) => {
  const actual = await original<typeof import("./registry")>();
  const figures = actual.FIGURES.map((figure) => (figure.key === "compactions" ? { ...figure, over: "none" } : figure));
  return { ...actual, FIGURES: figures };
});

function point(value: number, given: Partial<SweptFigures> = {}): SweptFigures {
  return { ...valuesBy(SWEPT_FIGURES, () => value), ...given };
}

test("figures of several recordings are combined as their sum, their highest value or their mean", () => {
  expect(summedFigures([point(3), point(10), point(6)])).toEqual({
    ...{ tokensSent: 19, tokensRewritten: 19, summaryCallTokens: 19, requestsOverWindow: 19 },
    ...{ peak: 10, keptTokens: 6, compactions: null },
  });
});

test("a figure that one of the recordings lacks has no combined value, and neither has a list without recordings", () => {
  const sums = summedFigures([point(5), point(7, { summaryCallTokens: null, peak: null }), point(0)]);
  expect(sums).toMatchObject({ tokensSent: 12, keptTokens: 4, summaryCallTokens: null, peak: null });
  expect(summedFigures([point(0), point(0)])).toMatchObject({ tokensSent: 0, peak: 0, keptTokens: 0 });
});

test("recordings that lack a figure at any point are counted, except for figures that are never combined", () => {
  const whole = [point(1), point(2)];
  const lacking = [point(1), point(2, { peak: null, compactions: null })];
  expect(lackedFigures([whole, whole])).toEqual([]);
  const lacked = lackedFigures([lacking, whole, lacking]);
  expect(lacked.map(({ figure: { key }, recordings }) => [key, recordings])).toEqual([["peak", 2]]);
});

test("a figure has a combined value exactly where every recording has it", () => {
  const value = fc.option(fc.nat(1e6), { nil: null });
  const points = fc.array(fc.record({ tokensSent: value, peak: value, keptTokens: value }), {
    minLength: 1,
    maxLength: 6,
  });
  fc.assert(
    fc.property(points, (drawn) => {
      const sums = summedFigures(drawn.map((given) => point(1, given)));
      for (const key of ["tokensSent", "peak", "keptTokens"] as const) {
        expect(sums[key] === null).toBe(drawn.some((given) => given[key] === null));
      }
    }),
  );
});
