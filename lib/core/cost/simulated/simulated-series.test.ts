import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LISTED_PRICES } from "../../prices/price-list";
import { arbitraryRequests } from "../../testing/arbitrary-requests";
import { type DrawnRequest, drawRequests } from "../../testing/draw-requests";
import { pricedRequests } from "../priced-requests";
import { NO_COST, sumOf } from "../recorded-cost";
import { costBasis, type Simulation, simulatedCost } from "./simulated-cost";
import { type CostedCompaction, simulatedSeries } from "./simulated-series";

function basisOf(drawn: readonly DrawnRequest[]) {
  const columns = drawRequests(drawn);
  return costBasis(columns, pricedRequests(columns, LISTED_PRICES));
}

interface Simulated {
  readonly context: readonly number[];
  readonly shared: readonly number[];
  readonly compactions?: readonly CostedCompaction[];
}

function seriesOf(drawn: readonly DrawnRequest[], { context, shared, compactions = [] }: Simulated) {
  return simulatedSeries(basisOf(drawn), { context, shared, compactions }, true);
}

/** Every request reads the context that the previous one left, a minute later. */
const WARM: readonly DrawnRequest[] = [
  { write: 160_000 },
  { read: 160_000, write: 1000 },
  { read: 161_000, write: 1000 },
];
/** 160,000 tokens become 50,000, of which 20,000 are unchanged. */
const COMPACTED = {
  context: [160_000, 50_000, 51_000],
  shared: [0, 20_000, 50_000],
  compactions: [{ request: 1, summaryCallTokens: 160_000, summaryTokens: 2000, uncached: 28_000 }],
};

describe("the requests of a simulation", () => {
  it("have reads, writes and a cost each", () => {
    const { requests, calls } = seriesOf(WARM, COMPACTED) ?? {};
    expect(requests?.map(({ read, write, plain }) => [read, write, plain])).toEqual([
      [0, 160_000, 0],
      [20_000, 30_000, 0],
      [50_000, 1000, 0],
    ]);
    expect(requests?.[1]?.cost).toEqual({ read: 10_000, write: 187_500, plain: 0, output: 0 });
    expect(calls).toEqual([80_000 + 50_000]);
  });

  it("have no read and written tokens if cache reads are unknown", () => {
    const model = "gemini-2.5-flash";
    const drawn = [
      { model, plain: 1000 },
      { model, plain: 1000 },
    ];
    const { requests } = seriesOf(drawn, { context: [1000, 1000], shared: [0, 1000] }) ?? {};
    expect(requests?.map(({ read, cost }) => [read, cost?.plain])).toEqual([
      [0, 300],
      [undefined, undefined],
    ]);
  });

  it("sum to the cost of the simulation", () => {
    fc.assert(
      fc.property(
        arbitraryRequests,
        fc.array(fc.nat(200_000), { minLength: 12, maxLength: 12 }),
        (drawn, drawnSizes) => {
          const context = drawn.map((_, point) => drawnSizes[point] ?? 0);
          const shared = context.map((tokens, point) => Math.min(tokens, context[point - 1] ?? 0));
          const simulation: Simulation & { compactions: [] } = { context, shared, compactions: [] };
          const basis = basisOf(drawn);
          const [whole, series] = [simulatedCost(basis, simulation, true), simulatedSeries(basis, simulation, true)];
          expect(series === undefined).toBe(whole === undefined);
          if (series === undefined || whole?.cost === undefined) return;
          const sum = series.requests.reduce((total, { cost }) => sumOf(total, cost ?? NO_COST), NO_COST);
          expect(sum).toEqual(whole.cost);
        },
      ),
    );
  });
});

describe("cost of a simulated compaction", () => {
  it("is its uncached tokens' price above cache reads, plus its call, with a break-even", () => {
    // 28,000 × 5.75; then (0.13 + 0.01 + 0.1875 − 0.025) ÷ (0.08 − 0.025).
    expect(seriesOf(WARM, COMPACTED)?.boundaries).toEqual([
      {
        request: 1,
        rewriting: 161_000,
        call: 130_000,
        callIsRecorded: false,
        breakEven: expect.closeTo(0.3025 / 0.055, 9),
      },
    ]);
  });

  it("breaks even sooner after a pause, since the cache is cold anyway", () => {
    const paused = [WARM[0] ?? {}, { at: 61, write: 161_000 }, { ...WARM[2], at: 62 }];
    // The call writes everything too: 1.00 + 0.05; the request after it 0.3125 instead of 1.00.
    const [cost] = seriesOf(paused, COMPACTED)?.boundaries ?? [];
    expect(cost?.call).toBe(1_000_000 + 50_000);
    expect(cost?.breakEven).toBeCloseTo(1 + (1.05 + 0.3125 - 1) / 0.055, 9);
  });

  it("has no call without a summary, and is unknown after the last request", () => {
    const trimmed = {
      ...COMPACTED,
      compactions: [{ request: 1, summaryCallTokens: 0, summaryTokens: 0, uncached: 5 }],
    };
    expect(seriesOf(WARM, trimmed)?.boundaries[0]).toMatchObject({ call: 0, rewriting: 29 });
    const late = { ...COMPACTED, compactions: [{ request: 3, summaryCallTokens: 10, summaryTokens: 1, uncached: 5 }] };
    expect(seriesOf(WARM, late)?.boundaries[0]).toMatchObject({ rewriting: undefined, breakEven: undefined });
  });
});
