import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pointCount } from "../../columns/points";
import type { LeftBehind } from "../../compaction/policies/left-behind";
import { LISTED_PRICES } from "../../prices/price-list";
import { arbitraryRequests } from "../../testing/arbitrary-requests";
import { drawRequests } from "../../testing/draw-requests";
import { runs } from "../../testing/runs";
import type { SummaryCall } from "../cost-sum";
import { pricedRequests } from "../priced-requests";
import { totalOf } from "../recorded-cost";
import { hindsightOptimum, type Schedulable } from "./hindsight-optimum";
import { type CostBasis, costBasis, simulatedCost } from "./simulated-cost";

const MINUTE_MS = 60_000;
const WINDOW = 1e9;

/** A session with pauses. */
interface Drawn {
  readonly basis: CostBasis;
  readonly session: Schedulable & { readonly pauses: NonNullable<Schedulable["pauses"]> };
  readonly sharesPrefix: boolean;
}

/** Actions before one request, and in the pause before it. */
interface Act {
  /** Compacts during the pause after these minutes, or right before the request. */
  readonly compacts?: number | "at request";
  readonly keepAlive?: number;
}

/** @param isNone no compaction is possible */
const left = (points: number, simulated: readonly number[], isNone: boolean): fc.Arbitrary<LeftBehind> => {
  const of = (one: fc.Arbitrary<number>) => fc.array(one, { minLength: points, maxLength: points });
  return fc
    .record({
      tokens: of(isNone ? fc.constant(-1) : fc.oneof(fc.constant(-1), fc.nat(60_000))),
      shared: of(fc.nat(60_000)),
      calls: of(fc.nat(5000)),
      summaries: of(fc.nat(5000)),
      again: of(fc.nat(20_000)),
    })
    .map(({ tokens, shared, calls, summaries, again }) => ({
      tokens: Int32Array.from(tokens),
      shared: Int32Array.from(shared, (own, point) => Math.min(own, tokens[point] ?? 0)),
      callTokens: Int32Array.from(calls, (call, point) => call + (simulated[point] ?? 0)),
      summaryTokens: Int32Array.from(summaries),
      calledAgain: Int32Array.from(again),
    }));
};

const drawn: fc.Arbitrary<Drawn> = fc
  .tuple(arbitraryRequests, fc.boolean())
  .filter(([requests]) => requests.length > 1)
  .chain(([requests, isOpus]) => {
    const some = requests
      .slice(0, 4)
      .map((one) => (isOpus ? { ...one, model: "claude-opus-4-5", read: 9000, plain: 100, long: 150_000 } : one));
    const columns = drawRequests(some);
    const points = pointCount(columns);
    const priced = pricedRequests(columns, LISTED_PRICES);
    const recorded = new Map(priced.map(({ request, sent }) => [request, sent]));
    return fc
      .record({
        grows: fc.array(fc.nat(200_000), { minLength: points, maxLength: points }),
        isPause: fc.array(fc.boolean(), { minLength: points, maxLength: points }),
        followed: fc.nat(points),
        sharesPrefix: fc.boolean(),
        isNone: fc.boolean(),
      })
      .chain(({ grows, isPause, followed, sharesPrefix, isNone }) => {
        let all = 0;
        const simulated = grows.map((tokens) => (all += tokens));
        const context = simulated.map((own, point) => (point < followed ? (recorded.get(point) ?? own) : own));
        return fc
          .tuple(left(points, simulated, isNone), left(points, simulated, isNone))
          .map(([atRequest, inPause]): Drawn => {
            let count = 0;
            const minutes = isPause.map((own, point) => {
              const gap = (some[point]?.at ?? 0) - (some[point - 1]?.at ?? 0);
              if (!own || point === 0 || count === 2) return 0;
              count += 1;
              return gap;
            });
            const session = {
              context,
              shared: appended(context),
              simulated: { context: simulated, shared: appended(simulated) },
              estimated: context.map((_, point) => (point < followed && recorded.has(point) ? 0 : 1)),
              left: atRequest,
              turnStart: context.map(() => 1),
              pauses: { minutes, left: inPause },
            };
            return { basis: costBasis(columns, priced), session, sharesPrefix };
          });
      });
  });

/** By point, the tokens that the previous point sent, if contexts only grow. */
function appended(context: readonly number[]): readonly number[] {
  return context.map((tokens, point) => Math.min(tokens, context[point - 1] ?? 0));
}

/** Cost of a session with these actions, by simulation; `undefined` if it is unknown. */
function simulated({ basis, session, sharesPrefix }: Drawn, acts: ReadonlyMap<number, Act>): number | undefined {
  const context = Array.from(session.context);
  const shared = Array.from(session.shared);
  const estimated = Array.from(session.estimated);
  const keptAlive = context.map((_, point) => acts.get(point)?.keepAlive ?? 0);
  const compactions: SummaryCall[] = [];
  const { requests } = basis.cache;
  let last: { readonly left: LeftBehind; readonly at: number } | undefined;
  for (const [at, { compacts }] of [...acts].sort(([a], [b]) => a - b)) {
    if (compacts === undefined) continue;
    const isAtRequest = compacts === "at request";
    const own = isAtRequest ? session.left : session.pauses.left;
    const grown = isAtRequest ? at : at - 1;
    const larger =
      last === undefined
        ? (session.context[grown] ?? 0) - (session.simulated.context[grown] ?? 0)
        : (last.left.calledAgain[last.at] ?? 0) - (last.left.callTokens[last.at] ?? 0);
    const before = requests.find(({ request }) => request === at - 1);
    compactions.push({
      request: at,
      summaryCallTokens: Math.max(0, (own.callTokens[at] ?? 0) + larger),
      summaryTokens: own.summaryTokens[at] ?? 0,
      ...(isAtRequest ? {} : { at: (before?.at ?? Number.NaN) + compacts * MINUTE_MS }),
    });
    const sentBefore = context[requests.findLast(({ request }) => request < at)?.request ?? -1] ?? 0;
    for (let point = at; point < context.length; point++) {
      const added = (session.simulated.context[point] ?? 0) - (session.simulated.context[at] ?? 0);
      context[point] = Math.max(0, (own.tokens[at] ?? 0) + added);
      estimated[point] = 1;
      const whole = Math.min(context[point] ?? 0, context[point - 1] ?? 0);
      shared[point] = point === at ? Math.min(own.shared[at] ?? 0, whole, sentBefore) : whole;
    }
    last = { left: own, at };
  }
  const found = simulatedCost(basis, { context, shared, estimated, compactions, keptAlive }, sharesPrefix);
  if (found?.cost === undefined || found.summaryCalls === undefined) return undefined;
  return totalOf(found.cost) + found.summaryCalls + found.keepAlive.cost;
}

/** Everything that a policy could do at a point, with times spread over the pause. */
function actsAt({ basis, session }: Drawn, point: number): readonly Act[] {
  const { requests } = basis.cache;
  const has = (at: number) => requests.some(({ request }) => request === at);
  const canCompact = has(point) && (session.left.tokens[point] ?? -1) >= 0;
  const atRequest: readonly Act[] = canCompact ? [{}, { compacts: "at request" }] : [{}];
  const pause = session.pauses.minutes[point] ?? 0;
  if (pause === 0 || !has(point) || !has(point - 1)) return atRequest;
  const canInPause = (session.pauses.left.tokens[point] ?? -1) >= 0;
  const times = [1.5, 4.6, 5.2, 54, 58, 61, pause - 60, pause - 58, pause - 3, pause / 2, pause];
  const possible = [...new Set(times)].filter((at) => canInPause && at > 0 && at <= pause);
  const all = [...atRequest, ...possible.map((compacts): Act => ({ compacts }))];
  const alive = pause < 5 ? [0] : [0, 5, 54, 110, 480].filter((minutes) => minutes <= pause);
  return all.flatMap((act) => alive.map((keepAlive) => ({ ...act, keepAlive })));
}

/** The search does not round; a simulation rounds the four parts of every request and call. */
const ROUNDING = 100;

describe("the hindsight optimum of a session with pauses", () => {
  it("costs what its schedule costs in a simulation, and no more than any combination of actions", () => {
    let inPauses = 0;
    const property = fc.property(drawn, fc.integer({ min: 1, max: 120 }), (given, idleMinutes) => {
      const { basis, session, sharesPrefix } = given;
      const found = hindsightOptimum(basis, session, WINDOW, sharesPrefix);
      if (found === undefined) return;
      inPauses += found.compactAfter.size;
      const points = Array.from(session.context, (_, point) => point);
      const own = new Map<number, Act>(
        points.flatMap((point) => {
          const compacts = found.compactAfter.get(point) ?? "at request";
          const keepAlive = found.keepAlive.get(point) ?? 0;
          const isCompacted = found.requests.includes(point);
          return isCompacted || keepAlive > 0
            ? [[point, { keepAlive, ...(isCompacted && { compacts }) }] as const]
            : [];
        }),
      );
      expect(Math.abs((simulated(given, own) ?? Number.NaN) - found.cost)).toBeLessThanOrEqual(ROUNDING);
      let ways: readonly ReadonlyMap<number, Act>[] = [new Map()];
      for (const point of points) {
        ways = ways.flatMap((way) =>
          actsAt(given, point).map((act) => new Map<number, Act>([...way, [point, act] as const])),
        );
      }
      const pauses = session.pauses.minutes;
      // Policies that act in every pause, at any minute.
      const idle = points.flatMap((point): [number, Act][] => {
        const isIdle = (pauses[point] ?? 0) > idleMinutes && (session.pauses.left.tokens[point] ?? -1) >= 0;
        const between = [point - 1, point].every((at) => basis.cache.requests.some(({ request }) => request === at));
        return isIdle && between ? [[point, { compacts: idleMinutes, keepAlive: idleMinutes * 2 }]] : [];
      });
      const costs = [...ways, new Map(idle)].map((way) => simulated(given, way) ?? Number.POSITIVE_INFINITY);
      expect(Math.min(...costs)).toBeGreaterThanOrEqual(found.cost - ROUNDING);
    });
    fc.assert(property, { numRuns: runs(60) });
    expect(inPauses).toBeGreaterThan(0);
  });
});

/*
 * Claude Opus 4.5, in dollars per million tokens: input 5, read 0.50, written for an hour 10, output 25. The first request writes 200,000 tokens, the
 * second follows a pause and sends 210,000, or 30,000 after a compaction whose call sends 205,000 and whose summary has 2,000.
 */
describe("a pause with a cache TTL of an hour", () => {
  const best = (pause: number, tokens: number) => {
    const second = pause < 60 ? { read: 200_000, long: 10_000 } : { long: 210_000 };
    const columns = drawRequests([{ long: 200_000 }, { at: pause, ...second }]);
    const context = [200_000, 210_000];
    const column = (value: number) => Int32Array.from([-1, value]);
    const inPause = {
      tokens: column(tokens),
      shared: column(20_000),
      callTokens: column(205_000),
      summaryTokens: column(2000),
      calledAgain: column(0),
    };
    const session: Schedulable = {
      context,
      shared: [0, 200_000],
      simulated: { context, shared: [0, 200_000] },
      estimated: [0, 0],
      left: { ...inPause, tokens: column(-1) },
      turnStart: [1, 1],
      pauses: { minutes: [0, pause], left: inPause },
    };
    const found = hindsightOptimum(costBasis(columns, pricedRequests(columns, LISTED_PRICES)), session, WINDOW, true);
    return found && { ...found, cost: Number((found.cost / 1e6).toFixed(6)) };
  };

  it("of two hours is cheapest with two keep-alive requests if a compaction keeps almost everything", () => {
    // 200,000 read at 0.50 and 10,000 written at 10, and two requests of 0.100025.
    expect(best(120, 190_000)).toEqual({
      requests: [],
      compactAfter: new Map(),
      keepAlive: new Map([[1, 108]]),
      cost: 2.40005,
    });
  });

  it("of two hours is cheapest with a compaction after one hour, which keeps the beginning warm", () => {
    // The call reads 200,000 and writes 5,000: 0.15, and 0.05 for the summary. An hour later 20,000 are read, and 10,000 written at 10.
    expect(best(120, 30_000)).toEqual({
      requests: [1],
      compactAfter: new Map([[1, 60]]),
      keepAlive: new Map(),
      cost: 2.31,
    });
  });

  it("of four hours is cheapest with a compaction just before the cache expires", () => {
    // The call costs 0.20 as above. Then all 30,000 are written at 10. Four keep-alive requests would cost 0.4001.
    expect(best(240, 30_000)).toEqual({
      requests: [1],
      compactAfter: new Map([[1, 54]]),
      keepAlive: new Map(),
      cost: 2.5,
    });
  });

  it("is cheapest without any action if the cache has not expired", () => {
    expect(best(30, 190_000)).toEqual({ requests: [], compactAfter: new Map(), keepAlive: new Map(), cost: 2.2 });
  });
});

it("a compaction in a pause is found although cache reads there are unknown, if its call reads none", () => {
  const columns = drawRequests([
    { model: "gemini-2.5-pro", plain: 187_109, long: 250_000 },
    { model: "gpt-5.5", at: 59, read: 23_646, plain: 180_000 },
  ]);
  const context = [187_109, 201_838];
  const column = (value: number) => Int32Array.from([-1, value]);
  const none = { shared: column(0), summaryTokens: column(0), calledAgain: column(0) };
  const inPause = { ...none, tokens: column(0), callTokens: column(201_838) };
  const session: Schedulable = {
    context,
    shared: [0, 187_109],
    simulated: { context, shared: [0, 187_109] },
    estimated: [1, 1],
    left: { ...inPause, tokens: column(-1) },
    turnStart: [1, 1],
    pauses: { minutes: [0, 59], left: inPause },
  };
  const basis = costBasis(columns, pricedRequests(columns, LISTED_PRICES));
  expect([...(hindsightOptimum(basis, session, WINDOW, false)?.compactAfter.keys() ?? [])]).toEqual([1]);
});
