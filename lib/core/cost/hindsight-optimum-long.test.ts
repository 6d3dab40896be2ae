import fc from "fast-check";
import { expect, it, vi } from "vitest";
import { pointCount } from "../columns/points";
import type { PriceEntry, Provider } from "../prices/model";
import { LISTED_PRICES, PriceList } from "../prices/price-list";
import type { Prices } from "../prices/prices";
import { rates } from "../prices/rates";
import { type DrawnRequest, drawRequests } from "../testing/draw-requests";
import { plainLeastCost } from "../testing/plain-schedule";
import { runs } from "../testing/runs";
import { pricedRequests } from "./priced-requests";
import { hindsightOptimum, type Schedulable } from "./simulated/hindsight-optimum";
import { RequestCosts } from "./simulated/request-costs";
import { costBasis } from "./simulated/simulated-cost";

const dollars = fc.constantFrom(0, 0.1, 0.5, 1, 5, 6.25, 25);
const tier = fc.tuple(dollars, dollars, dollars, dollars, dollars);

/** A list of one model `m` of any provider at any prices: free, with reads above writes, or cheaper for large requests. */
const anyPrices: fc.Arbitrary<Prices> = fc
  .record({
    provider: fc.constantFrom<Provider>("anthropic", "openai", "other"),
    small: tier,
    large: fc.oneof(fc.constant(undefined), tier),
  })
  .map(({ provider, small, large }) => {
    const tiers = [rates(...small), ...(large === undefined ? [] : [rates(...large, 60_000)])];
    const entry: PriceEntry = { ids: ["m"], provider, rates: [{ tiers }], source: "drawn", seen: "2026-09-01" };
    return new PriceList([[entry]]);
  });

/** A list with the model of all requests of a session. */
const priced = fc.oneof(
  fc.record({
    prices: fc.constant<Prices>(LISTED_PRICES),
    model: fc.constantFrom("claude-opus-4-5", "claude-sonnet-4-5", "gpt-5.5", "gpt-5.6", "gemini-2.5-pro"),
  }),
  fc.record({ prices: anyPrices, model: fc.constant("m") }),
);

/** Sessions that grow, shrink now and then, and pause; the size that a compaction leaves varies. */
const long = fc
  .record({
    priced,
    requests: fc.array(
      fc.record({
        grows: fc.oneof(
          { arbitrary: fc.nat(2000), weight: 5 },
          { arbitrary: fc.integer({ min: -9000, max: 30_000 }), weight: 1 },
        ),
        gap: fc.constantFrom(0.1, 0.1, 0.1, 1, 4, 9, 61, 500),
        left: fc.oneof(
          { arbitrary: fc.integer({ min: 9000, max: 12_000 }), weight: 8 },
          fc.constant(-1),
          fc.nat(60_000),
        ),
        leftShared: fc.nat(12_000),
        calledAgain: fc.nat(12_000),
        summary: fc.integer({ min: 900, max: 3000 }),
        isLost: fc.boolean(),
      }),
      { minLength: 20, maxLength: 200 },
    ),
    window: fc.constantFrom(30_000, 200_000, 1e9),
    sharesPrefix: fc.boolean(),
    followed: fc.nat(200),
  })
  .map(({ priced: { prices, model }, requests, window, sharesPrefix, followed }) => {
    let [tokens, minutes] = [9000, 0];
    const context = requests.map(({ grows }) => (tokens = Math.max(1000, tokens + grows)));
    const drawn = requests.map(({ gap }, at): DrawnRequest => {
      const [before, now] = [context[at - 1] ?? 0, context[at] ?? 0];
      minutes += gap;
      return { model, at: minutes, read: Math.min(before, now), write: Math.max(0, now - before), output: 200 };
    });
    const shared = context.map((now, at) => {
      const before = context[at - 1] ?? 0;
      return Math.min(now, requests[at]?.isLost ? Math.floor(before * 0.9) : before);
    });
    const of = (value: (request: (typeof requests)[number], at: number) => number) => Int32Array.from(requests, value);
    const session: Schedulable = {
      context,
      shared,
      simulated: { context, shared },
      estimated: context.map((_, at) => (at < followed ? 0 : 1)),
      left: {
        tokens: of(({ left }) => left),
        shared: of(({ left, leftShared }) => Math.max(0, Math.min(left, leftShared))),
        callTokens: of((_, at) => context[at] ?? 0),
        summaryTokens: of(({ summary }) => summary),
        calledAgain: of(({ calledAgain }) => calledAgain),
      },
      turnStart: context.map(() => 0),
    };
    const columns = drawRequests(drawn);
    expect(pointCount(columns)).toBe(context.length);
    return { basis: costBasis(columns, pricedRequests(columns, prices)), session, window, sharesPrefix };
  });

it("the hindsight optimum costs as much as a search over all pairs, for any prices and window", () => {
  let compacting = 0;
  const property = fc.property(long, ({ basis, session, window, sharesPrefix }) => {
    const found = hindsightOptimum(basis, session, window, sharesPrefix);
    const least = plainLeastCost(basis, session, window, sharesPrefix);
    expect(found === undefined).toBe(least === undefined);
    expect(Math.abs((found?.cost ?? 0) - (least ?? 0))).toBeLessThanOrEqual(1e-9 * (least ?? 0));
    if ((found?.requests.length ?? 0) > 1) compacting += 1;
  });
  fc.assert(property, { numRuns: runs(150) });
  expect(compacting).toBeGreaterThan(20);
});

/** A session whose context grows by the same amount with every request, and the size that each compaction leaves. */
function growing(requests: number, grows: number, left: number): Schedulable {
  const column = (value: (at: number) => number) => Int32Array.from({ length: requests }, (_, at) => value(at));
  const context = column((at) => left + (at + 1) * grows);
  const shared = column((at) => (at === 0 ? 0 : left + at * grows));
  return {
    context,
    shared,
    simulated: { context, shared },
    estimated: column(() => 1),
    turnStart: column(() => 0),
    left: {
      tokens: column(() => left),
      shared: column(() => 20_000),
      callTokens: context,
      summaryTokens: column(() => 1500),
      calledAgain: column(() => left),
    },
  };
}

it.each(["claude-opus-4-5", "gpt-5.5", "gemini-2.5-pro"])(
  "the search for %s prices only a small share of all pairs of requests",
  (model) => {
    const requests = 2000;
    const columns = drawRequests(
      Array.from({ length: requests }, (_, at) => ({ model, read: at * 800, write: 800, output: 300 })),
    );
    const basis = costBasis(columns, pricedRequests(columns, LISTED_PRICES));
    const asked = vi.spyOn(RequestCosts.prototype, "request");
    const found = hindsightOptimum(basis, growing(requests, 800, 30_000), 1e9, true);
    expect(found?.requests.length).toBeGreaterThan(10);
    // Every pair would be two million.
    expect(asked.mock.calls.length).toBeLessThan(requests * 300);
    asked.mockRestore();
  },
);
