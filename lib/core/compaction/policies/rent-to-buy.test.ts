import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RequestIndex } from "../../base/units";
import { pointCount } from "../../columns/points";
import { countedBySize } from "../../columns/token-columns";
import { drawColumns } from "../../testing/draw";
import { listeningPolicy } from "../../testing/policies";
import { runs } from "../../testing/runs";
import type { Policy } from "../policy/policy";
import { resolveSettings } from "../policy/settings";
import { type Replay, replay } from "../replay";
import { rentToBuyPolicy } from "./rent-to-buy";
import { scheduledPolicy } from "./scheduled";

const PRICES = { writePrice: 3, inputPrice: 2, outputPrice: 5 };
const NOTHING_RECENT = { keepRecentTokens: 0, summaryTokens: 10 };

interface Given {
  readonly window?: number;
  readonly set?: Readonly<Record<string, unknown>>;
}

function replayed(
  drawing: string,
  { window = 100_000, set = {} }: Given = {},
  policy: Policy = rentToBuyPolicy,
): Replay {
  const specs = rentToBuyPolicy.settings("default", { window, agent: null });
  const settings = resolveSettings(specs, { ...PRICES, ...NOTHING_RECENT, ...set });
  return replay(countedBySize(drawColumns(drawing), "bytes-4"), policy, settings, { window, counting: "estimate" });
}

function requestsOf(...args: Parameters<typeof replayed>): readonly RequestIndex[] {
  return replayed(...args).compactions.map(({ request }) => request);
}

/** Every request sends 100 tokens more than the one before; the newest message has 90 of them. */
const STEADY = `u100 ${"a10 u90 ".repeat(20)}a10`;

describe("rent-to-buy, which compacts when extra reads have cost as much as a compaction", () => {
  // A compaction leaves 100 tokens: the summary and the last message. The context before request j has 100 (j + 1) tokens. The requests before it
  // have read 0 + 100 + … + 100 (j − 1) tokens more than that: 50 j (j − 1). The call costs 2 × 100 (j + 1) + 5 × 10, and writing the left context
  // costs 2 × 100 more than reading it. At j = 6 that is 1,500 against 1,650, at j = 7 it is 2,100 against 1,850. From there on everything repeats.
  it("fires at the requests computed by hand", () => {
    expect(requestsOf(STEADY)).toEqual([7, 14]);
  });

  it("fires later the more a compaction costs, and sooner the less it costs", () => {
    const first = (set: Record<string, number>) => requestsOf(STEADY, { set })[0];
    // 50 j (j − 1) against 200 (j + 1) + 10 × outputPrice + 100 × (writePrice − 1), and the like.
    expect(first({ outputPrice: 50 })).toBe(8);
    expect(first({ writePrice: 20 })).toBe(10);
    expect(first({ inputPrice: 1 })).toBe(5);
    expect(first({ writePrice: 1, inputPrice: 0, outputPrice: 0 })).toBe(1);
  });

  it("does not count reads of tokens that would remain after a compaction", () => {
    expect(requestsOf(STEADY, { set: { keepRecentTokens: 100_000 } })).toEqual([]);
    expect(requestsOf(STEADY, { set: { summaryTokens: 5000 } })).toEqual([]);
  });

  it("always fires at the window", () => {
    const { compactions } = replayed(STEADY, { window: 450 });
    expect(compactions.map(({ request, trigger }) => [request, trigger])).toEqual([
      [4, "overflow"],
      [8, "overflow"],
      [12, "overflow"],
      [16, "overflow"],
      [20, "overflow"],
    ]);
  });

  it("tries again after a failed call only when the same cost has accrued again", () => {
    const failing = replayed(STEADY, { set: { failSummary: "always" } }).compactions;
    const gaps = failing.map(({ request }, index) => request - (failing[index - 1]?.request ?? 0));
    expect(failing.length).toBeGreaterThan(1);
    expect(failing.every(({ outcome }) => outcome === "failed")).toBe(true);
    expect(Math.min(...gaps)).toBeGreaterThan(2);
    // The second call succeeds: the state is then as after any compaction.
    const [, second] = replayed(STEADY, { set: { failSummary: "1" } }).compactions;
    expect(second).toMatchObject({ outcome: "summary", tokensAfter: 100 });
  });
});

it("the policy uses the prices of the session's models, and reports missing ones", () => {
  const context = { window: 200_000, agent: null };
  const prices = (given: object) =>
    rentToBuyPolicy
      .settings("default", { ...context, ...given })
      .flatMap((spec) => (spec.key.endsWith("Price") ? [[spec.key, spec.default, spec.source.notes]] : []));
  expect(prices({ priceRatios: { write: 20, input: 10, output: 100 } })).toEqual([
    ["writePrice", 20, ["listPrices"]],
    ["inputPrice", 10, ["listPrices"]],
    ["outputPrice", 100, ["listPrices"]],
  ]);
  expect(prices({}).map(([, , notes]) => notes)).toEqual(Array(3).fill(["assumedPrices"]));
});

interface Prices {
  readonly writePrice: number;
  readonly inputPrice: number;
  readonly outputPrice: number;
}

/** Cost of a replay under the policy's own assumptions, in tokens read: one price, and a cache that never expires. */
function costOf({ context, shared, compactions }: Replay, { writePrice, inputPrice, outputPrice }: Prices): number {
  const requests = Array.from(context, (sent, point) => {
    const read = shared?.[point] ?? 0;
    return read + writePrice * (sent - read);
  });
  const calls = compactions.map((one) => inputPrice * one.summaryCallTokens + outputPrice * one.summaryTokens);
  return [...requests, ...calls].reduce((sum, cost) => sum + cost, 0);
}

/** Long enough that compactions pay off, short enough to try all schedules. */
const drawn = fc.record({
  first: fc.integer({ min: 1, max: 400 }),
  growth: fc.array(fc.tuple(fc.nat(40), fc.integer({ min: 1, max: 60 })), { minLength: 4, maxLength: 9 }),
  summaryTokens: fc.integer({ min: 1, max: 30 }),
  writePrice: fc.integer({ min: 1, max: 5 }),
  inputPrice: fc.integer({ min: 1, max: 3 }),
  outputPrice: fc.integer({ min: 1, max: 8 }),
});

it("the policy costs at most about twice the hindsight optimum if caches do not expire", () => {
  let compacting = 0;
  const property = fc.property(drawn, ({ first, growth, summaryTokens, ...prices }) => {
    const recording = countedBySize(
      drawColumns(`u${first} ${growth.map(([answer, typed]) => `a${answer} u${typed}`).join(" ")} a1`),
      "bytes-4",
    );
    const options = { window: 100_000, counting: "estimate" } as const;
    const specs = rentToBuyPolicy.settings("default", { window: options.window, agent: null });
    const settings = resolveSettings(specs, { ...NOTHING_RECENT, ...prices, summaryTokens });
    const costUnder = (policy: Policy) => costOf(replay(recording, policy, settings, options), prices);
    const points = Array.from({ length: pointCount(recording.columns) }, (_, point) => point);
    const costs = Array.from({ length: 2 ** points.length }, (_, set) =>
      costUnder(scheduledPolicy(rentToBuyPolicy, new Set(points.filter((point) => (set >> point) % 2 === 1)))),
    );
    const own = costUnder(listeningPolicy(rentToBuyPolicy, { answered: () => (compacting += 1) }));
    expect(own).toBeLessThanOrEqual(2 * Math.min(...costs));
  });
  fc.assert(property, { numRuns: runs(40) });
  expect(compacting).toBeGreaterThan(10);
});
