import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LISTED_PRICES } from "../prices/price-list";
import { arbitraryRequests } from "../testing/arbitrary-requests";
import { type DrawnRequest, drawRequests } from "../testing/draw-requests";
import { cacheMisses, missesByCause } from "./cache-misses";
import { pricedRequests } from "./priced-requests";

function missesOf(drawn: readonly DrawnRequest[]) {
  const columns = drawRequests(drawn);
  return cacheMisses(columns, pricedRequests(columns, LISTED_PRICES));
}

/** Causes and tokens of the cache misses after the first request's entry. */
function missed(...drawn: readonly DrawnRequest[]): readonly (readonly [string, number])[] {
  return (missesOf(drawn)?.misses ?? []).slice(1).map(({ cause, tokens }) => [cause, tokens]);
}

const START: DrawnRequest = { read: 20_000, write: 80_000 };
/** A request that lost the whole cached context. */
const LOST: DrawnRequest = { read: 0, write: 100_500 };

describe("the first request", () => {
  it("is not a miss, but listed with its written and plain tokens at no extra cost", () => {
    expect(missesOf([{ read: 9000, write: 100, long: 50, plain: 7 }])).toEqual({
      misses: [{ request: 0, cause: "first", tokens: 157, cost: 0, gap: Number.NaN }],
      growth: 0,
    });
  });

  it("is absent in a session without requests", () => {
    expect(missesOf([])).toEqual({ misses: [], growth: 0 });
  });
});

describe("a cache miss", () => {
  it("is found if a request read less than 98 % of the tokens that the previous one read and wrote", () => {
    expect(missed(START, { read: 98_000, write: 5000 })).toEqual([]);
    expect(missed(START, { read: 97_999, write: 5000 })).toEqual([["unexplained", 2001]]);
  });

  it("does not count plain tokens as lost, since they were never in the cache", () => {
    expect(missed({ ...START, plain: 50_000 }, { read: 100_000, write: 100 })).toEqual([]);
  });

  it("counts only the uncached tokens if fewer were uncached than lost", () => {
    expect(missed(START, { behind: "compaction", read: 10_000, write: 25_000, plain: 5 })).toEqual([
      ["compaction", 25_005],
    ]);
  });

  it("is unknown if no request records its reads", () => {
    expect(
      missesOf([
        { read: null, plain: 10 },
        { read: null, plain: 20 },
      ]),
    ).toBeUndefined();
    expect(missed(START, { read: null, plain: 500 })).toEqual([]);
  });

  it("is found by reads alone if a provider records no writes", () => {
    const model = "gpt-5.5";
    expect(missed({ model, read: 90_000, plain: 50_000 }, { model, read: 90_000, plain: 55_000 })).toEqual([]);
    expect(missed({ model, read: 90_000, plain: 50_000 }, { model, read: 10_000, plain: 135_000 })).toEqual([
      ["unexplained", 80_000],
    ]);
  });

  it("costs the extra price of its tokens over reads: one-hour, then five-minute writes, then plain", () => {
    const [, lost] = missesOf([{ write: 100_000 }, { write: 20_000, long: 10_000, plain: 5000 }])?.misses ?? [];
    // 10,000 at $10, 20,000 at $6.25 and 5,000 at $5 a million, each less $0.50.
    expect(lost).toMatchObject({ tokens: 35_000, cost: 95_000 + 115_000 + 22_500 });
    expect(missesOf([{ write: 100_000 }, { write: 20_000, long: 100_000 }])?.misses[1]?.cost).toBe(950_000);
  });

  it("has no price if the request has none", () => {
    const sums = missesByCause(
      missesOf([START, LOST, { ...LOST, model: "coder-model", at: 2 }]) ?? { misses: [], growth: 0 },
    );
    expect(sums.get("model")).toEqual({ count: 1, tokens: 100_500, cost: undefined });
  });
});

describe("the cause of a cache miss", () => {
  const cases: readonly (readonly [string, DrawnRequest, DrawnRequest?])[] = [
    ["compaction", { behind: "compaction", terms: { missReason: "x" }, model: "claude-opus-4-6", at: 90 }],
    ["compaction", { behind: "clearing" }],
    ["recorded", { terms: { missReason: "system_changed" }, model: "claude-opus-4-6", at: 90 }],
    ["model", { model: "claude-opus-4-6", at: 90 }],
    ["model", { terms: { effort: "high" } }, { terms: { effort: "low" } }],
    ["model", { terms: { effort: "high" } }],
    ["model", { terms: { speed: "fast" } }],
    ["idle", { at: 5.01, terms: { process: "b" } }, { terms: { process: "a" } }],
    ["resume", { terms: { process: "b" } }, { terms: { process: "a" } }],
    ["unexplained", {}],
    ["unexplained", { behind: "rollback" }],
    ["unexplained", { at: 5 }],
    ["unexplained", { at: null }],
    ["unexplained", { model: "anthropic/claude-opus-4-5-20251101" }],
    ["unexplained", { terms: { process: "a", effort: "low" } }, { terms: { process: "a", effort: "low" } }],
  ];
  for (const [cause, now, before] of cases) {
    it(`is ${cause}: the first that fits ${JSON.stringify({ before, now })}`, () => {
      expect(missed({ ...START, ...before }, { ...LOST, ...now })[0]?.[0]).toBe(cause);
    });
  }

  it("names the reason that the provider gives", () => {
    const [, lost] = missesOf([START, { ...LOST, terms: { missReason: "tools_changed" } }])?.misses ?? [];
    expect(lost?.reason).toBe("tools_changed");
  });

  it("is idle beyond the cache TTL: an hour if the last write was for an hour", () => {
    const long: DrawnRequest = { write: 0, long: 80_000 };
    const quiet: DrawnRequest = { read: 80_000 };
    expect(missed(long, { ...LOST, at: 60 })).toEqual([["unexplained", 80_000]]);
    expect(missed(long, { ...LOST, at: 60.1 })).toEqual([["idle", 80_000]]);
    expect(missed(long, { ...quiet, at: 1 }, { ...LOST, at: 30 })[0]?.[0]).toBe("unexplained");
    expect(missed(long, { read: 80_000, write: 1, at: 1 }, { ...LOST, at: 30 })[0]?.[0]).toBe("idle");
  });

  it.each([
    ["gpt-5.5", 10],
    ["gpt-5.6-sol", 30],
    ["gpt-6.1-terra", 30],
    ["gemini-2.5-pro", 60],
    ["coder-model", 60],
  ])("of %s is idle beyond %i minutes", (model, minutes) => {
    const [before, lost] = [
      { model, read: 50_000, plain: 10 },
      { model, read: 0, plain: 60_000 },
    ];
    expect(missed(before, { ...lost, at: minutes })[0]?.[0]).toBe("unexplained");
    expect(missed(before, { ...lost, at: minutes + 0.1 })[0]?.[0]).toBe("idle");
  });
});

describe("growth", () => {
  it("and cache misses together sum to all tokens written or sent plain", () => {
    fc.assert(
      fc.property(arbitraryRequests, (drawn) => {
        const found = missesOf(drawn);
        if (found === undefined) return;
        const causes = [...missesByCause(found).values()].reduce((sum, { tokens }) => sum + tokens, 0);
        const sent = drawn.filter(({ plain = 0, read, write = 0, long = 0 }) => plain + (read ?? 0) + write + long > 0);
        const uncached = sent.reduce((sum, { plain = 0, write = 0, long = 0 }) => sum + plain + write + long, 0);
        expect(causes + found.growth).toBe(uncached);
        expect(found.growth).toBeGreaterThanOrEqual(0);
        for (const { tokens, cost } of found.misses) {
          expect(tokens).toBeGreaterThanOrEqual(0);
          expect(cost ?? 0).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });
});
