import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LISTED_PRICES } from "../prices/price-list";
import { arbitraryRequests } from "../testing/arbitrary-requests";
import { type DrawnRequest, drawRequests } from "../testing/draw-requests";
import { dollarsOf } from "./money";
import { pricedRequests } from "./priced-requests";
import { totalOf } from "./recorded-cost";
import { type CacheChoice, type SummaryCall, simulatedCost } from "./simulated-cost";

interface Simulated {
  readonly context: readonly number[];
  /** All that the request before sent, where nothing is said. */
  readonly shared?: readonly number[];
  readonly calls?: readonly SummaryCall[];
}

function simulate(drawn: readonly DrawnRequest[], simulated: Simulated, choice: Partial<CacheChoice> = {}) {
  const columns = drawRequests(drawn);
  const { context, calls: compactions = [] } = simulated;
  const shared = simulated.shared ?? context.map((tokens, point) => Math.min(tokens, context[point - 1] ?? 0));
  return simulatedCost(
    columns,
    pricedRequests(columns, LISTED_PRICES),
    { context: Int32Array.from(context), shared: Int32Array.from(shared), compactions },
    { ttl: "recorded", sharesPrefix: true, ...choice },
  );
}

/** Read, written, plain and answered, in dollars. */
function parts(...args: Parameters<typeof simulate>): readonly (number | undefined)[] {
  const cost = simulate(...args)?.cost;
  return [cost?.read, cost?.write, cost?.plain, cost?.output].map((part) => part && dollarsOf(part));
}

const MILLION = 1_000_000;
const TWO: readonly DrawnRequest[] = [
  { write: 500_000, output: 1000 },
  { read: 500_000, write: 500_000, output: 1000 },
];

describe("a simulated session", () => {
  it("reads what a request shares with the one before it, and writes the rest", () => {
    expect(parts(TWO, { context: [500_000, MILLION] })).toEqual([0.25, 6.25, 0, 0.05]);
  });

  it("reads no more than what is still the same beginning", () => {
    const cut = { context: [500_000, 300_000], shared: [0, 100_000] };
    expect(parts(TWO, cut)).toEqual([0.05, 3.125 + 1.25, 0, 0.05]);
  });

  it("begins with what the recorded session began with: another one's system prompt", () => {
    const warm = [{ read: 20_000, write: 80_000 }];
    expect(parts(warm, { context: [100_000] })).toEqual([0.01, 0.5, 0, 0]);
    expect(parts(warm, { context: [10_000] })).toEqual([0.005, 0, 0, 0]);
  });

  it("reads nothing over a gap that the cache does not outlive, with half a minute of slack", () => {
    const idle = (at: number): readonly DrawnRequest[] => [{ write: MILLION }, { at, write: MILLION }];
    const context = [MILLION, MILLION];
    expect(parts(idle(5.5), { context })).toEqual([0.5, 6.25, 0, 0]);
    expect(parts(idle(5.51), { context })).toEqual([0, 12.5, 0, 0]);
    expect(parts(idle(30), { context }, { ttl: "1h" })).toEqual([0.5, 10, 0, 0]);
    expect(parts(idle(61), { context }, { ttl: "1h" })).toEqual([0, 20, 0, 0]);
  });

  it("writes for as long as the recording did, request by request", () => {
    const long: readonly DrawnRequest[] = [
      { write: 0, long: MILLION },
      { at: 30, read: MILLION },
    ];
    expect(parts(long, { context: [MILLION, MILLION] })).toEqual([0.5, 10, 0, 0]);
    expect(parts(long, { context: [MILLION, MILLION] }, { ttl: "5m" })).toEqual([0, 12.5, 0, 0]);
  });

  it("reads after a miss what the session itself read, and has both ends as a band", () => {
    const drawn: readonly DrawnRequest[] = [
      { read: 10_000, write: 90_000 },
      { at: 60, write: 100_000 },
    ];
    const found = simulate(drawn, { context: [100_000, 100_000] });
    expect(found?.cost?.read).toBe(10_000);
    expect((found?.high ?? 0) - (found?.low ?? 0)).toBe(10_000 * (6.25 - 0.5));
  });

  it("reads nothing of another model's cache", () => {
    const drawn: readonly DrawnRequest[] = [{ write: 100_000 }, { model: "claude-haiku-4-5", write: 100_000 }];
    expect(parts(drawn, { context: [100_000, 100_000] })).toEqual([0, 0.625 + 0.125, 0, 0]);
  });

  it("has the rates of the size that it would have had", () => {
    const drawn = [{ model: "gpt-5.5", plain: 300_000 }];
    expect(parts(drawn, { context: [300_000] })).toEqual([0, 0, 3, 0]);
    expect(parts(drawn, { context: [200_000] })).toEqual([0, 0, 1, 0]);
  });

  it("reads of OpenAI's cache the share of the gap, within a band", () => {
    const model = "gpt-5.5";
    const drawn: readonly DrawnRequest[] = [
      { model, plain: 100_000 },
      { model, at: 20, read: 50_000, plain: 50_000 },
    ];
    const found = simulate(drawn, { context: [100_000, 100_000] });
    // 56 % of 100,000, in multiples of 128.
    expect(found?.cost?.read).toBe(55_936 * 0.5);
    expect([found?.low, found?.high]).toEqual([500_000 + 50_000, 500_000 + 500_000]);
  });

  it("has of other caches only a band, where nothing tells their share", () => {
    const model = "gemini-2.5-flash";
    const drawn: readonly DrawnRequest[] = [
      { model, plain: 100_000 },
      { model, plain: 100_000 },
    ];
    const found = simulate(drawn, { context: [100_000, 100_000] });
    expect(found?.cost).toBeUndefined();
    expect([found?.low, found?.high]).toEqual([30_000 + 3000, 60_000]);
  });

  it("is nothing that is known where a request has no price, or where there is none", () => {
    expect(simulate([{ model: "coder-model", plain: 5 }], { context: [5] })).toBeUndefined();
    expect(simulate([], { context: [5] })).toBeUndefined();
  });
});

describe("a call for a summary", () => {
  const calls = [{ request: 1, summaryCallTokens: 500_000, summaryTokens: 2000 }];
  const simulated = { context: [500_000, 100_000], shared: [0, 20_000], calls };
  const callCost = (sharesPrefix: boolean | undefined) => simulate(TWO, simulated, { sharesPrefix });

  it("reads what was sent before it where it begins with that, and pays for the summary", () => {
    expect(dollarsOf(callCost(true)?.summaryCalls ?? 0)).toBe(0.25 + 0.05);
  });

  it("sends everything at the full price where it does not", () => {
    expect(dollarsOf(callCost(false)?.summaryCalls ?? 0)).toBe(2.5 + 0.05);
  });

  it("is a band where that is not known", () => {
    const found = callCost(undefined);
    expect((found?.high ?? 0) - (found?.low ?? 0)).toBe(2_500_000 - 250_000);
  });

  it("finds nothing to read after too long a gap", () => {
    const late = [TWO[0] ?? {}, { ...TWO[1], at: 90 }];
    expect(dollarsOf(simulate(late, simulated)?.summaryCalls ?? 0)).toBe(3.125 + 0.05);
  });
});

describe("properties", () => {
  it("the likely cost lies in its band, and less is never dearer by sharing more", () => {
    fc.assert(
      fc.property(arbitraryRequests, (drawn) => {
        const context = drawn.map(({ plain = 0, read, write = 0, long = 0 }) => plain + (read ?? 0) + write + long);
        const full = simulate(drawn, { context });
        const none = simulate(drawn, { context, shared: context.map(() => 0) });
        if (full === undefined || none === undefined) return;
        expect(full.low).toBeLessThanOrEqual(full.high);
        if (full.cost !== undefined) {
          const total = totalOf(full.cost) + (full.summaryCalls ?? 0);
          expect(total).toBeGreaterThanOrEqual(full.low);
          expect(total).toBeLessThanOrEqual(full.high);
        }
        expect(full.low).toBeLessThanOrEqual(none.low);
      }),
    );
  });
});
