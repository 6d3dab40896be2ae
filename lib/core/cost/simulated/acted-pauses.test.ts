import { describe, expect, it } from "vitest";
import { LISTED_PRICES } from "../../prices/price-list";
import { DRAWN_START, type DrawnRequest, drawRequests } from "../../testing/draw-requests";
import type { Ttl } from "../cache-model";
import type { SummaryCall } from "../cost-sum";
import { dollarsOf } from "../money";
import { pricedRequests } from "../priced-requests";
import { totalOf } from "../recorded-cost";
import { costBasis, simulatedCost } from "./simulated-cost";

/*
 * Claude Opus 4.5, in dollars per million tokens: input 5, read 0.50, written for five minutes 6.25 and for an hour 10, output 25.
 * Two requests: the first writes 200,000 tokens for an hour, the second follows a pause and sends 210,000 unless something was compacted.
 */
const session = (pause: number): readonly DrawnRequest[] => [{ long: 200_000 }, { at: pause, long: 210_000 }];

interface Acts {
  readonly context?: readonly number[];
  /** A compaction before a request, or minutes into the pause before it; its call sends 205,000 tokens, and the summary has 2,000. */
  readonly idle?: { readonly request: number; readonly after?: number };
  readonly keptAlive?: readonly number[];
  readonly sharesPrefix?: boolean;
  readonly ttl?: Ttl;
}

/** Dollars of both requests, of the call for a summary, of keep-alive requests, and of everything after the last request. */
function dollars(
  drawn: readonly DrawnRequest[],
  { context = [200_000, 210_000], idle, keptAlive, sharesPrefix = true, ttl }: Acts,
) {
  const columns = drawRequests(drawn);
  const basis = costBasis(columns, pricedRequests(columns, LISTED_PRICES), ttl);
  // 20,000 tokens of system prompt and tools stay in front of a compacted context.
  const shared = [0, idle?.request === 1 ? 20_000 : 200_000];
  const minutes = (drawn[(idle?.request ?? 0) - 1]?.at ?? 0) + (idle?.after ?? 0);
  const compactions: SummaryCall[] =
    idle === undefined
      ? []
      : [
          {
            request: idle.request,
            at: idle.after === undefined ? undefined : DRAWN_START + minutes * 60_000,
            summaryCallTokens: 205_000,
            summaryTokens: 2000,
          },
        ];
  const estimated = [0, idle?.request === 1 ? 1 : 0];
  const found = simulatedCost(basis, { context, shared, compactions, keptAlive, estimated }, sharesPrefix);
  if (found?.cost === undefined || found.summaryCalls === undefined) throw new Error("no cost");
  return {
    requests: dollarsOf(totalOf(found.cost)),
    call: dollarsOf(found.summaryCalls),
    keepAlive: [found.keepAlive.requests, dollarsOf(found.keepAlive.cost)],
    unused: dollarsOf(found.unused),
    low: dollarsOf(found.low),
    high: dollarsOf(found.high),
  };
}

const COMPACTED = [200_000, 30_000] as const;

describe("a pause of two hours with a cache TTL of an hour", () => {
  it("costs the second request in full if no action is taken", () => {
    // 200,000 written at 10, then 210,000 written again at 10.
    expect(dollars(session(120), {})).toMatchObject({ requests: 2 + 2.1, call: 0, keepAlive: [0, 0], unused: 0 });
  });

  it("costs a warm call and a small cold request if it compacts after 54 minutes", () => {
    // The call reads 200,000 at 0.50 and writes 5,000 at 10; its summary costs 2,000 at 25. 66 minutes later 30,000 are written at 10.
    const found = dollars(session(120), { context: COMPACTED, idle: { request: 1, after: 54 } });
    expect(found).toMatchObject({ requests: 2 + 0.3, call: 0.1 + 0.05 + 0.05, unused: 0 });
    expect(found.low).toBeCloseTo(2.5, 9);
    expect(found.high).toBeCloseTo(2.5, 9);
  });

  it("costs a cold call, and a warm start of the next request, if it compacts after 90 minutes", () => {
    // The call writes all 205,000 at 10. 30 minutes later 20,000 are read at 0.50 and 10,000 written at 10.
    const found = dollars(session(120), { context: COMPACTED, idle: { request: 1, after: 90 } });
    expect(found).toMatchObject({ requests: 2.11, call: 2.1 });
  });

  it("leaves the cache cold if the call does not begin with the previous context", () => {
    // The call costs 205,000 of plain input at 5; 120 minutes after the last use, 30,000 are written at 10.
    const found = dollars(session(120), { context: COMPACTED, idle: { request: 1, after: 90 }, sharesPrefix: false });
    expect(found).toMatchObject({ requests: 2 + 0.3, call: 1.025 + 0.05 });
  });

  it("costs two keep-alive requests, after 54 and 108 minutes, and a warm request", () => {
    // Each reads 200,000 at 0.50 and answers with one token at 25. Then 200,000 are read and 10,000 written at 10.
    const found = dollars(session(120), { keptAlive: [0, 1440, 0] });
    expect(found).toMatchObject({ requests: 2 + 0.1 + 0.1, keepAlive: [2, 0.20005], unused: 0 });
    expect(found.high).toBeCloseTo(2.40005, 9);
  });

  it("costs a warm call right before the request if the cache is kept alive until then", () => {
    // The call reads 200,000 and writes 5,000; then 20,000 are read at 0.50 and 10,000 written at 10.
    const found = dollars(session(120), { context: COMPACTED, idle: { request: 1 }, keptAlive: [0, 1440, 0] });
    expect(found).toMatchObject({ requests: 2 + 0.11, call: 0.1 + 0.05 + 0.05, keepAlive: [2, 0.20005] });
  });

  it("lets the cache expire after the last keep-alive request that is allowed", () => {
    // One request after 54 minutes, and the pause goes on for 66.
    expect(dollars(session(120), { keptAlive: [0, 60, 0] })).toMatchObject({
      requests: 2 + 2.1,
      keepAlive: [1, 0.100025],
    });
  });
});

describe("keep-alive requests", () => {
  it("stop when they have cost as much as one cache miss", () => {
    // (10 − 0.50) ÷ 0.50 = 19 requests for an hour each; (6.25 − 0.50) ÷ 0.50 = 11 for five minutes each.
    expect(dollars(session(24 * 60), { keptAlive: [0, 1440, 0] }).keepAlive).toEqual([19, 1.900475]);
    const short = [{ write: 200_000 }, { at: 600, write: 210_000 }];
    expect(dollars(short, { keptAlive: [0, 1440, 0] }).keepAlive).toEqual([11, 1.100275]);
    expect(dollars(short, { keptAlive: [0, 1440, 0], ttl: "1h" }).keepAlive).toEqual([11, 1.100275]);
  });

  it("are sent only to caches with a TTL that the provider guarantees", () => {
    const drawn = session(120).map((one) => ({ ...one, model: "gpt-5.5", long: 0, plain: 200_000 }));
    expect(dollars(drawn, { keptAlive: [0, 1440, 1440], context: [200_000, 200_000] }).keepAlive).toEqual([0, 0]);
  });
});

describe("after the last request", () => {
  it("a compaction costs its call, and is unused", () => {
    // 210,000 tokens were sent last, so the call reads all of its 205,000 at 0.50.
    const found = dollars(session(1), { idle: { request: 2, after: 54 } });
    expect(found).toMatchObject({ call: 0.1025 + 0.05, unused: 0.1525 });
  });

  it("keep-alive requests continue until they cost as much as a cache miss", () => {
    // 210,000 at 0.50 and one token of output, once after 54 minutes.
    expect(dollars(session(1), { keptAlive: [0, 0, 60] })).toMatchObject({
      keepAlive: [1, 0.105025],
      unused: 0.105025,
    });
  });
});
