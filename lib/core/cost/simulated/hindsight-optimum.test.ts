import fc from "fast-check";
import { expect, it } from "vitest";
import { pointCount } from "../../columns/points";
import { LISTED_PRICES } from "../../prices/price-list";
import { arbitraryRequests } from "../../testing/arbitrary-requests";
import { drawRequests } from "../../testing/draw-requests";
import { runs } from "../../testing/runs";
import type { SummaryCall } from "../cost-sum";
import { pricedRequests } from "../priced-requests";
import { totalOf } from "../recorded-cost";
import { hindsightOptimum, type Schedulable } from "./hindsight-optimum";
import { type CostBasis, costBasis, simulatedCost } from "./simulated-cost";

/** A session, the contexts that compactions would leave, and the window. */
interface Drawn {
  readonly basis: CostBasis;
  readonly session: Schedulable;
  readonly window: number;
  readonly sharesPrefix: boolean;
}

const size = fc.nat(200_000);

const drawn: fc.Arbitrary<Drawn> = arbitraryRequests.chain((requests) => {
  const columns = drawRequests(requests);
  const points = pointCount(columns);
  const sizes = fc.array(size, { minLength: points, maxLength: points });
  const left = fc.array(fc.oneof(fc.constant(-1), fc.nat(60_000)), { minLength: points, maxLength: points });
  const priced = pricedRequests(columns, LISTED_PRICES);
  return fc
    .record({
      grows: sizes,
      left,
      leftShared: sizes,
      calls: sizes,
      calledAgain: sizes,
      summaries: fc.array(fc.nat(5000), { minLength: points, maxLength: points }),
      // Number of first points that are as recorded.
      followed: fc.nat(points),
      window: fc.integer({ min: 20_000, max: 2_000_000 }),
      sharesPrefix: fc.boolean(),
    })
    .map(({ grows, followed, window, sharesPrefix, ...drawn }) => {
      let all = 0;
      const simulated = grows.map((tokens) => (all += tokens));
      const recorded = new Map(priced.map(({ request, sent }) => [request, sent]));
      const context = simulated.map((tokens, point) => (point < followed ? (recorded.get(point) ?? tokens) : tokens));
      const session: Schedulable = {
        context,
        shared: appended(context),
        simulated: { context: simulated, shared: appended(simulated) },
        estimated: context.map((_, point) => (point < followed && recorded.has(point) ? 0 : 1)),
        left: {
          tokens: Int32Array.from(drawn.left),
          shared: Int32Array.from(drawn.leftShared, (shared, point) => Math.min(shared, drawn.left[point] ?? 0)),
          callTokens: Int32Array.from(drawn.calls, (call, point) => call + (simulated[point] ?? 0)),
          summaryTokens: Int32Array.from(drawn.summaries),
          calledAgain: Int32Array.from(drawn.calledAgain),
        },
        turnStart: context.map(() => 0),
      };
      return { basis: costBasis(columns, priced), session, window, sharesPrefix };
    });
});

/** By point, the tokens that the previous point sent, if contexts only grow. */
function appended(context: readonly number[]): readonly number[] {
  return context.map((tokens, point) => Math.min(tokens, context[point - 1] ?? 0));
}

/** Tokens that the last request with usage before a point sent. */
function sentBefore({ cache }: CostBasis, context: readonly number[], at: number): number {
  return context[cache.requests.findLast(({ request }) => request < at)?.request ?? -1] ?? 0;
}

/** Cost of a schedule and its number of requests above the window, by simulation. */
function simulated({ basis, session, window, sharesPrefix }: Drawn, schedule: readonly number[]) {
  const { left } = session;
  const context = Array.from(session.context);
  const shared = Array.from(session.shared);
  const estimated = Array.from(session.estimated);
  const compactions: SummaryCall[] = [];
  let from = -1;
  for (const at of schedule) {
    const call =
      (left.callTokens[at] ?? 0) +
      (from < 0
        ? (session.context[at] ?? 0) - (session.simulated.context[at] ?? 0)
        : (left.calledAgain[from] ?? 0) - (left.callTokens[from] ?? 0));
    compactions.push({ request: at, summaryCallTokens: Math.max(0, call), summaryTokens: left.summaryTokens[at] ?? 0 });
    for (let point = at; point < context.length; point++) {
      const grown = (session.simulated.context[point] ?? 0) - (session.simulated.context[at] ?? 0);
      context[point] = Math.max(0, (left.tokens[at] ?? 0) + grown);
      estimated[point] = 1;
      const whole = Math.min(context[point] ?? 0, context[point - 1] ?? 0);
      shared[point] = point === at ? Math.min(left.shared[at] ?? 0, whole, sentBefore(basis, context, at)) : whole;
    }
    from = at;
  }
  const found = simulatedCost(basis, { context, shared, estimated, compactions }, sharesPrefix);
  if (found?.cost === undefined || found.summaryCalls === undefined) return undefined;
  const above = basis.cache.requests.filter(({ request }) => (context[request] ?? 0) > window).length;
  return { cost: totalOf(found.cost) + found.summaryCalls, above };
}

/** All sets of requests with usage before which a compaction is possible. */
function schedules({ basis, session }: Drawn): readonly (readonly number[])[] {
  const places = basis.cache.requests
    .map(({ request }) => request)
    .filter((at) => (session.left.tokens[at] ?? -1) >= 0);
  return Array.from({ length: 2 ** places.length }, (_, set) =>
    places.filter((_place, index) => (set >> index) % 2 === 1),
  );
}

/** The search does not round; a simulation rounds the four parts of every request and call. */
const ROUNDING = 100;

it("the hindsight optimum is the cheapest of the schedules with the fewest requests above the window", () => {
  let compacting = 0;
  const property = fc.property(drawn, (given) => {
    const all = schedules(given).map((schedule) => simulated(given, schedule));
    const known = all.filter((one) => one !== undefined);
    const found = hindsightOptimum(given.basis, given.session, given.window, given.sharesPrefix);
    if (found === undefined) {
      const { requests } = given.basis.cache;
      const lacks = requests.some(
        ({ tiers }, index) => tiers.length === 0 || given.basis.cache.readRule(index) === undefined,
      );
      expect(lacks || requests.length === 0).toBe(true);
      return;
    }
    const fewest = Math.min(...known.map(({ above }) => above));
    const least = Math.min(...known.filter(({ above }) => above === fewest).map(({ cost }) => cost));
    const own = simulated(given, found.requests);
    expect(own?.above).toBe(fewest);
    expect(own?.cost).toBeLessThanOrEqual(least + ROUNDING);
    if (fewest === 0) expect(Math.abs(found.cost - (own?.cost ?? 0))).toBeLessThanOrEqual(ROUNDING);
    if (found.requests.length > 0) compacting += 1;
  });
  fc.assert(property, { numRuns: runs(400) });
  expect(compacting).toBeGreaterThan(5);
});

it("the hindsight optimum is unknown if the reads of a cache are unknown, or a request has no price", () => {
  const of = (requests: Parameters<typeof drawRequests>[0]) => {
    const columns = drawRequests(requests);
    const context = requests.map(() => 1000);
    const none = Int32Array.from(requests, () => -1);
    const left = { tokens: none, shared: none, callTokens: none, summaryTokens: none, calledAgain: none };
    const session = {
      context,
      shared: appended(context),
      simulated: { context, shared: appended(context) },
      estimated: [1, 1],
      left,
      turnStart: [0, 0],
    };
    return hindsightOptimum(costBasis(columns, pricedRequests(columns, LISTED_PRICES)), session, 9000, true)?.requests;
  };
  const known = { model: "claude-opus-4-5", plain: 1000 };
  expect(
    of([
      { ...known, read: 0 },
      { ...known, read: 0 },
    ]),
  ).toEqual([]);
  expect(
    of([
      { ...known, read: null },
      { ...known, read: null },
    ]),
  ).toBeUndefined();
  expect(
    of([
      { ...known, read: 0 },
      { ...known, model: "nobody", read: 0 },
    ]),
  ).toBeUndefined();
});
