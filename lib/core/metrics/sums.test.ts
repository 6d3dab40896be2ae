import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { lackedMetrics, summedBands, summedMetrics } from "./sums";
import { SWEPT_METRICS, type SweptMetrics, valuesBy } from "./values";

/** Makes one of a sweep's metrics have no value over several recordings. */
vi.mock("./registry", async (original) => {
  const actual = await original<typeof import("./registry")>();
  const metrics = actual.METRICS.map((metric) => (metric.key === "compactions" ? { ...metric, over: "none" } : metric));
  return { ...actual, METRICS: metrics };
});

function point(value: number, given: Partial<SweptMetrics> = {}): SweptMetrics {
  return { ...valuesBy(SWEPT_METRICS, () => value), ...given };
}

test("metrics of several recordings are combined as their sum, their highest value or their mean", () => {
  expect(summedMetrics([point(3), point(10), point(6)])).toMatchObject({
    tokensSent: 19,
    tokensRewritten: 19,
    summaryCallTokens: 19,
    requestsOverWindow: 19,
    costUsd: 19,
    bestUsd: 19,
    neededAgain: 19,
    neededAgainTokens: 19,
    peak: 10,
    keptTokens: 6,
    regret: 19 / 3,
    compactions: null,
  });
});

test("a metric is not combined if a recording lacks it, or if there are no recordings", () => {
  const sums = summedMetrics([point(5), point(7, { summaryCallTokens: null, peak: null }), point(0)]);
  expect(sums).toMatchObject({ tokensSent: 12, keptTokens: 4, summaryCallTokens: null, peak: null });
  expect(summedMetrics([point(0), point(0)])).toMatchObject({ tokensSent: 0, peak: 0, keptTokens: 0 });
});

test("dollars are summed to the micro-dollar", () => {
  const third = point(1, { costUsd: 0.1 });
  expect(summedMetrics([third, third, third]).costUsd).toBe(0.3);
});

test("bands are summed at both ends, with exact values at both, and absent if a recording lacks the metric", () => {
  const band = { low: 2, high: 4.5, lowerBound: false };
  const banded = { metrics: point(3), bands: { costUsd: band } };
  const exact = { metrics: point(1, { costUsd: 1.25 }), bands: {} };
  expect(summedBands([banded, exact])).toEqual({ costUsd: { low: 3.25, high: 5.75, lowerBound: false } });
  const least = { metrics: point(3), bands: { costUsd: { ...band, lowerBound: true } } };
  expect(summedBands([banded, least]).costUsd).toEqual({ low: 4, high: 9, lowerBound: true });
  expect(summedBands([banded, { metrics: point(3, { costUsd: null }), bands: {} }])).toEqual({});
  // Only its band is known.
  expect(summedBands([{ metrics: point(3, { costUsd: null }), bands: { costUsd: band } }, exact]).costUsd?.low).toBe(
    3.25,
  );
  expect(summedBands([exact, exact])).toEqual({});
});

test("a sum over recordings can leave out one that lacks the metric at every point", () => {
  const whole = [point(1), point(2)];
  const lacking = [point(1, { peak: null }), point(2, { peak: null, compactions: null })];
  const partly = [point(1), point(2, { peak: null })];
  expect(lackedMetrics([whole, whole])).toEqual([]);
  const lacked = lackedMetrics([lacking, whole, lacking, partly]);
  expect(lacked.map(({ metric: { key }, always, sometimes }) => [key, [...always], sometimes])).toEqual([
    ["peak", [0, 2], 1],
  ]);
  const counts = ({ key }: { readonly key: string }, at: number) => key !== "peak" || at === 1;
  const second = [lacking, whole, lacking].flatMap((points) => points[1] ?? []);
  expect(summedMetrics(second, counts)).toMatchObject({ peak: 2, tokensSent: 6 });
  expect(summedMetrics(second, ({ key }) => key !== "peak")).toMatchObject({ peak: null, tokensSent: 6 });
  const cost = { low: 1, high: 3, lowerBound: false };
  const banded = [
    { metrics: point(2), bands: { costUsd: cost } },
    { metrics: point(1, { costUsd: null }), bands: {} },
  ];
  expect(summedBands(banded, ({ key }, at) => key !== "costUsd" || at === 0)).toEqual({ costUsd: cost });
});

test("a metric has a combined value exactly if every recording has it", () => {
  const value = fc.option(fc.nat(1e6), { nil: null });
  const points = fc.array(fc.record({ tokensSent: value, peak: value, keptTokens: value }), {
    minLength: 1,
    maxLength: 6,
  });
  fc.assert(
    fc.property(points, (drawn) => {
      const sums = summedMetrics(drawn.map((given) => point(1, given)));
      for (const key of ["tokensSent", "peak", "keptTokens"] as const) {
        expect(sums[key] === null).toBe(drawn.some((given) => given[key] === null));
      }
    }),
  );
});
