import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LISTED_PRICES } from "../prices/price-list";
import { arbitraryRequests } from "../testing/arbitrary-requests";
import { type DrawnRequest, drawRequests } from "../testing/draw-requests";
import { checkCacheRule, ruleMisses } from "./cache-rule";
import { pricedRequests } from "./priced-requests";

function check(...drawn: readonly DrawnRequest[]) {
  const columns = drawRequests(drawn);
  return checkCacheRule(columns, pricedRequests(columns, LISTED_PRICES));
}

/** Pairs, exact and within 2 %. */
function counts(...drawn: readonly DrawnRequest[]): readonly number[] | undefined {
  const rule = check(...drawn);
  return rule && [rule.pairs, rule.exact, rule.within2];
}

const START: DrawnRequest = { read: 20_000, write: 80_000, plain: 9 };

describe("the rule of Anthropic's cache", () => {
  it("predicts reads of the tokens that the previous request read and wrote, without its plain ones", () => {
    expect(counts(START, { read: 100_000, write: 500 })).toEqual([1, 1, 1]);
    expect(counts(START, { read: 100_009, write: 500 })).toEqual([1, 0, 1]);
  });

  it("counts a read as close if it differs from the prediction by at most 2 % of the larger of the two", () => {
    expect(counts(START, { read: 98_000, write: 500 })).toEqual([1, 0, 1]);
    expect(counts(START, { read: 97_999, write: 500 })).toEqual([1, 0, 0]);
    expect(counts(START, { read: 102_040, write: 500 })).toEqual([1, 0, 1]);
    expect(counts(START, { read: 102_041, write: 500 })).toEqual([1, 0, 0]);
  });

  it("predicts no reads once the cache TTL has passed by half a minute", () => {
    expect(counts(START, { at: 5.5, read: 100_000, write: 500 })).toEqual([1, 1, 1]);
    expect(counts(START, { at: 5.51, read: 100_000, write: 500 })).toEqual([1, 0, 0]);
    expect(counts(START, { at: 5.51, read: 0, write: 500 })).toEqual([1, 1, 1]);
    expect(counts({ write: 0, long: 100_000 }, { at: 60.5, read: 100_000 })).toEqual([1, 1, 1]);
  });

  it("states the relative error of the input cost", () => {
    expect(check(START, { read: 100_000, write: 500 })?.costError).toBe(0);
    // The request read half of the cached tokens. By the rule it would have read the rest too instead of writing it.
    const rule = check({ write: 100_000 }, { read: 50_000, write: 50_000 });
    const [recorded, simulated] = [0.625 + 0.025 + 0.3125, 0.625 + 0.05];
    expect(rule?.costError).toBeCloseTo(simulated / recorded - 1, 9);
  });

  it("states no error in dollars if a request has no price", () => {
    expect(check(START, { read: 100_000 }, { model: "coder-model", read: 5 })?.costError).toBeUndefined();
  });
});

describe("pairs of requests that the check compares", () => {
  it("are neighbours of one model that both record reads, without a changed history between them", () => {
    expect(counts(START, { model: "claude-opus-4-6", read: 100_000 })).toEqual([0, 0, 0]);
    expect(counts(START, { read: null, write: 5 }, { read: 100_000 })).toEqual([0, 0, 0]);
    expect(counts(START, { behind: "compaction", read: 100_000 })).toEqual([0, 0, 0]);
    expect(counts(START, { behind: "clearing", read: 100_000 })).toEqual([0, 0, 0]);
    expect(counts(START, { at: null, read: 100_000 })).toEqual([0, 0, 0]);
  });

  it("are not computed if no request read from the cache", () => {
    expect(check({ write: 10 }, { write: 20 })).toBeUndefined();
    expect(check()).toBeUndefined();
  });
});

describe("the rule of OpenAI's cache", () => {
  const model = "gpt-5.5";
  const chain = (reads: readonly number[]) =>
    reads.map((read, index): DrawnRequest => ({ model, at: index / 10, read, plain: 100_000 - read }));

  it("takes the median share if there are fewer than five pairs, in multiples of 128", () => {
    // 99.85 % of 100,000 is 99,850: 780 times 128 is 99,840.
    expect(counts(...chain([0, 99_840]))).toEqual([1, 1, 1]);
    expect(counts(...chain([0, 99_850]))).toEqual([1, 0, 1]);
  });

  it.each([
    [2, 99_584],
    [5, 96_896],
    [10, 96_000 - (96_000 % 128)],
    [60, 56_000 - (56_000 % 128)],
    [61, 3000 - (3000 % 128)],
  ])("has a share for gaps of up to %i minutes", (at, read) => {
    expect(counts({ model, plain: 100_000 }, { model, at, read, plain: 5 })).toEqual([1, 1, 1]);
  });

  it("takes the session's own share if there are five pairs", () => {
    const reads = [0, 50_000, 50_000, 50_000, 50_000, 50_000];
    // Half of 100,000, rounded down to a multiple of 128.
    expect(counts(...chain(reads))).toEqual([5, 0, 5]);
    expect(counts(...chain([0, 49_920, 49_920, 49_920, 49_920, 50_320]))).toEqual([5, 4, 5]);
  });
});

describe("the rule of other caches", () => {
  const chain = (model: string, reads: readonly number[]) =>
    reads.map((read, index): DrawnRequest => ({ model, at: index / 10, read, plain: 100_001 - read }));

  it.each(["gemini-2.5-pro", "coder-model"])("checks %s only at gaps with five pairs", (model) => {
    expect(counts(...chain(model, [0, 50_000, 50_000, 50_000, 50_000]))).toEqual([0, 0, 0]);
    expect(counts(...chain(model, [0, 50_000, 50_000, 50_000, 50_000, 50_000]))).toEqual([5, 5, 5]);
  });
});

it("every exact pair counts as close, and every close one as a pair", () => {
  fc.assert(
    fc.property(arbitraryRequests, (drawn) => {
      const rule = check(...drawn);
      if (rule === undefined) return;
      expect(rule.exact).toBeLessThanOrEqual(rule.within2);
      expect(rule.within2).toBeLessThanOrEqual(rule.pairs);
    }),
  );
});

describe("pairs that the rule does not predict", () => {
  const misses = (...drawn: readonly DrawnRequest[]) => {
    const columns = drawRequests(drawn);
    return ruleMisses(columns, pricedRequests(columns, LISTED_PRICES));
  };

  it("are those with an error above 2 %, the largest error first", () => {
    const drawn: readonly DrawnRequest[] = [
      START,
      { read: 90_000, write: 10_500 },
      { read: 100_500, write: 100 },
      { read: 0, write: 101_000 },
    ];
    expect(misses(...drawn)).toEqual([
      { request: 3, predicted: 100_600, read: 0, gap: 60_000 },
      { request: 1, predicted: 100_000, read: 90_000, gap: 60_000 },
    ]);
  });

  it("are empty if no request read from the cache", () => {
    expect(misses({ plain: 5 }, { plain: 9 })).toEqual([]);
  });

  it("are all pairs whose error is not within 2 %", () => {
    fc.assert(
      fc.property(arbitraryRequests, (drawn) => {
        const rule = check(...drawn);
        expect(misses(...drawn)).toHaveLength(rule === undefined ? 0 : rule.pairs - rule.within2);
      }),
    );
  });
});
