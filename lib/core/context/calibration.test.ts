import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { recordedContext } from "../columns/columns";
import { countedBySize } from "../columns/token-columns";
import { drawColumns } from "../testing/draw";
import { calibrate, scaledTokens } from "./calibration";
import { recordedSeries } from "./recorded";
import { usagePairs } from "./usage-pairs";

/** Makes a session from the tokens that every request adds: estimated, and recorded on top of the first request's context. */
function session(added: readonly (readonly [estimate: number, recorded: number])[], first = 1000) {
  let usage = first;
  const requests = added.map(([estimate, recorded]) => {
    usage += recorded;
    return `u${estimate - 1} a1 @${usage}`;
  });
  // The response's one token is sent with the next request, like the question.
  const columns = drawColumns(`u5 a1 @${first} ${requests.join(" ")}`);
  return countedBySize(columns, "bytes-4");
}

const of = (added: readonly (readonly [number, number])[]) => {
  const { columns, tokens } = session(added);
  return calibrate({ columns, tokens });
};
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

describe("calibration", () => {
  it("needs eight pairs", () => {
    expect(of(times(7, [100, 130]))).toBeUndefined();
    expect(of(times(8, [100, 130]))).toMatchObject({ factor: 1.3, pairs: 8 });
  });

  it("is absent if the items would exceed any context", () => {
    expect(of(times(8, [100, 1_000_000]))).toMatchObject({ factor: 10_000 });
    // The items are 807 tokens, recorded as 1.25 million each.
    expect(of(times(8, [100, 125_000_000]))).toBeUndefined();
  });

  it("is the median of the pairs, weighted by their estimates, which ignores a few outliers", () => {
    expect(of([...times(8, [100, 120] as const), [100, 5000], [50, 1]])?.factor).toBe(1.2);
    // The ratios are 1 to 9 with equal weight, so the fifth is the median. Then the last one outweighs all others together.
    const ratios = [9, 2, 7, 4, 5, 6, 3, 8, 1].map((ratio) => [100, ratio * 100] as const);
    expect(of(ratios)?.factor).toBe(5);
    expect(of([...ratios.slice(1), [10_000, 90_000]])?.factor).toBe(9);
    // Half of the weight suffices.
    expect(of([...times(4, [100, 100] as const), ...times(4, [100, 300] as const)])?.factor).toBe(1);
  });

  it("is the factor with the smallest sum of errors over the pairs", () => {
    const pair = fc.tuple(fc.integer({ min: 2, max: 400 }), fc.integer({ min: 1, max: 900 }));
    fc.assert(
      fc.property(fc.array(pair, { minLength: 8, maxLength: 20 }), (added) => {
        const { columns, tokens } = session(added);
        const pairs = usagePairs({ columns, tokens });
        expect(pairs.map(({ estimate, recorded }) => [estimate, recorded])).toEqual(added);
        const off = (factor: number) =>
          pairs.reduce((sum, { estimate, recorded }) => sum + Math.abs(recorded - factor * estimate), 0);
        const best = Math.min(...pairs.map(({ estimate, recorded }) => off(recorded / estimate)));
        expect(off(calibrate({ columns, tokens })?.factor ?? Number.NaN)).toBeCloseTo(best, 6);
      }),
    );
  });

  it("is fitted on the first half and tested on the second", () => {
    const halves = [...times(6, [100, 100] as const), ...times(6, [100, 200] as const)];
    const { columns, tokens } = session(halves);
    const fitted = calibrate({ columns, tokens });
    // The first request holds 5 tokens and 995 of inferred overhead; the factor of the first half is 1.
    const errors = [7, 8, 9, 10, 11, 12].map((request) => {
      const recorded = recordedContext(columns, request);
      return (995 + 5 + 100 * request - recorded) / recorded;
    });
    const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
    expect(fitted?.outOfSampleBias).toBeCloseTo(mean, 12);
    expect(fitted?.outOfSampleError).toBeCloseTo(-mean, 12);
    expect(fitted?.pairs).toBe(12);
    expect(of(times(9, [100, 150]))).toMatchObject({ factor: 1.5 });
  });

  it("does not scale the overhead", () => {
    const fitted = of(times(20, [100, 200]));
    expect(fitted?.factor).toBe(2);
    // If the overhead were scaled as well, the error would be near a half.
    expect(fitted?.outOfSampleError).toBeLessThan(0.01);
  });

  it("is reported as doubtful if its factor is outside 0.5 to 2 or its error above 15 %", () => {
    const doubts = (factor: number) => of(times(20, [100, factor * 100]))?.doubts;
    expect([0.49, 0.5, 1, 2, 2.01].map(doubts)).toEqual([["factor"], [], [], [], ["factor"]]);
    // The first half does not predict the second.
    const changing = of([...times(10, [1000, 1000] as const), ...times(20, [1000, 1900] as const)]);
    expect([changing?.factor, changing?.doubts]).toEqual([1.9, ["error"]]);
    const wild = of([...times(10, [1000, 1000] as const), ...times(20, [1000, 5000] as const)]);
    expect(wild?.doubts).toEqual(["factor", "error"]);
  });

  it("is computed once per token column", () => {
    const { columns, tokens } = session(times(8, [100, 130]));
    expect(calibrate({ columns, tokens })).toBe(calibrate({ columns, tokens }));
    expect(calibrate({ columns, tokens: Int32Array.from(tokens) })).not.toBe(calibrate({ columns, tokens }));
    expect(recordedSeries({ columns, tokens }).calibration).toBe(calibrate({ columns, tokens }));
  });
});

describe("scaled tokens", () => {
  it("sum to the scaled sum over every range within one token, without scaling the overhead", () => {
    const sizes = fc.array(fc.integer({ min: 2, max: 400 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(sizes, fc.double({ min: 0.1, max: 5, noNaN: true }), (estimates, factor) => {
        const { columns, tokens } = session(estimates.map((estimate) => [estimate, estimate] as const));
        const scaled = scaledTokens({ columns, tokens }, factor);
        expect(scaled).toHaveLength(columns.length);
        expect(scaled.subarray(0, columns.overheadRows)).toEqual(tokens.subarray(0, columns.overheadRows));
        for (let from = columns.overheadRows; from < columns.length; from++) {
          const sum = (column: Int32Array) => column.subarray(from).reduce((total, size) => total + size, 0);
          expect(Math.abs(sum(scaled) - sum(tokens) * factor)).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it("are cached for the last requested factor", () => {
    const { columns, tokens } = session(times(3, [100, 100]));
    const twice = scaledTokens({ columns, tokens }, 2);
    expect(scaledTokens({ columns, tokens }, 2)).toBe(twice);
    expect(scaledTokens({ columns, tokens }, 3)).not.toEqual(twice);
    expect(scaledTokens({ columns, tokens }, 2)).toEqual(twice);
  });
});
