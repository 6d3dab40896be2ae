import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { recordedMembership } from "../columns/membership";
import { pointCount } from "../columns/points";
import { sizeTokenColumn } from "../columns/token-columns";
import { recordedSeries } from "../context/recorded";
import { pricedRequests } from "../cost/priced-requests";
import { LISTED_PRICES } from "../prices/price-list";
import { arbitraryDrawing } from "../testing/arbitrary";
import { drawColumns } from "../testing/draw";
import { drawRequests } from "../testing/draw-requests";
import { GROUPINGS } from "./contributor-groups";
import { contributorsAt } from "./contributors";
import { inputPrices, type PricedInput, recordedInputs, simulatedInputs } from "./input-prices";
import { measuredContext } from "./measured-context";
import { recordedStays } from "./stays";

function contextOf(drawing: string) {
  const columns = drawColumns(drawing);
  const counted = { columns, tokens: sizeTokenColumn(columns, "bytes-4") };
  return measuredContext(columns, recordedStays(counted, recordedMembership(columns)), recordedSeries(counted));
}

/** The cost of each message of a session in test notation. */
function messageCosts(drawing: string, inputs: readonly Partial<PricedInput>[]): readonly (number | undefined)[] {
  const context = contextOf(drawing);
  const all = inputs.map((input, request) => ({ request, uncached: 0, uncachedCost: 0, readCost: 0, ...input }));
  const { rows } = contributorsAt(context, inputs.length - 1, "message", inputPrices(context, all));
  const messages = rows.filter(({ kind }) => kind === "message");
  return messages.toSorted((a, b) => a.index - b.index).map(({ cost }) => cost && Math.round(cost * 1e6) / 1e6);
}

/** 100 tokens; then an answer of 100 and 50 more. */
const TWO = "u100 a100 u50 a20";
const FIRST = { uncached: 100, uncachedCost: 1000 };

describe("the cost of an item", () => {
  it("is the uncached price in the request that adds it, and the price of a cache read in every later one", () => {
    expect(messageCosts(TWO, [FIRST, { uncached: 150, uncachedCost: 1500, readCost: 10 }])).toEqual([1010, 1000, 500]);
  });

  it("includes its share of tokens sent uncached again after a cache miss", () => {
    expect(messageCosts(TWO, [FIRST, { uncached: 250, uncachedCost: 2500 }])).toEqual([2000, 1000, 500]);
  });

  it("divides tokens that are sent uncached again among all earlier items, by size", () => {
    const third = { uncached: 20 + 125, uncachedCost: 1450, readCost: 12.5 };
    const costs = messageCosts(`${TWO} | a5`, [FIRST, { uncached: 150, uncachedCost: 1500, readCost: 10 }, third]);
    // 20 are new at 10 each; the other 250 share 1,250 and 12.5: 5.05 each.
    expect(costs).toEqual([1010 + 505, 1000 + 505, 500 + 252.5, 200]);
  });

  it("is partly a cache read's price if fewer tokens were uncached than the estimate counts as new", () => {
    expect(messageCosts(TWO, [FIRST, { uncached: 50, uncachedCost: 500, readCost: 20 }])).toEqual([1010, 340, 170]);
  });

  it("sums, with the unattributed part, to the cost of the input, at every request and grouping", () => {
    const amount = fc.nat(100_000);
    const input = fc.record({ uncached: fc.nat(3000), uncachedCost: amount, readCost: amount });
    fc.assert(
      fc.property(
        arbitraryDrawing,
        fc.constantFrom(...GROUPINGS),
        fc.array(input, { maxLength: 40 }),
        (drawing, by, drawn) => {
          const context = contextOf(drawing);
          const points = pointCount(context.columns);
          const inputs = drawn.slice(0, points).map((one, request) => {
            const sent = context.series.context[request] ?? 0;
            const uncached = Math.min(one.uncached, sent);
            // A request that was not sent costs nothing.
            return {
              request,
              uncached,
              uncachedCost: uncached === 0 ? 0 : one.uncachedCost,
              readCost: uncached === sent ? 0 : one.readCost,
            };
          });
          const prices = inputPrices(context, inputs);
          const { rows, inputCost } = contributorsAt(context, points - 1, by, prices);
          const sum = rows.reduce((total, { cost = 0 }) => total + cost, 0);
          if (rows.some(({ kind }) => kind === "unattributed")) expect(sum).toBeCloseTo(inputCost ?? 0, 3);
          expect(sum).toBeLessThanOrEqual((inputCost ?? 0) + 0.001);
          for (const { cost = 0 } of rows) expect(cost).toBeGreaterThanOrEqual(-0.001);
        },
      ),
    );
  });
});

describe("input costs of a recording", () => {
  it("are split into cache reads and all other tokens sent, per request", () => {
    const columns = drawRequests([
      { write: 1000, plain: 10, output: 9 },
      { read: 1000, write: 100 },
    ]);
    expect(recordedInputs(pricedRequests(columns, LISTED_PRICES))).toEqual([
      { request: 0, uncached: 1010, uncachedCost: 6250 + 50, readCost: 0 },
      { request: 1, uncached: 100, uncachedCost: 625, readCost: 500 },
    ]);
  });

  it("are unknown if a request has no price, or if there are no requests", () => {
    const columns = drawRequests([{ write: 1000 }, { model: "coder-model", plain: 5 }]);
    expect(recordedInputs(pricedRequests(columns, LISTED_PRICES))).toBeUndefined();
    expect(recordedInputs([])).toBeUndefined();
  });
});

describe("input costs of a simulation", () => {
  const cost = { read: 5, write: 60, plain: 1, output: 9 };
  const one = { request: 0, read: 10, write: 12, plain: 3, output: 2, cost };

  it("equal the input costs of its requests", () => {
    expect(simulatedInputs([one])).toEqual([{ request: 0, uncached: 15, uncachedCost: 61, readCost: 5 }]);
  });

  it("are unknown if the cache reads of a request are unknown, or if there are no requests", () => {
    expect(simulatedInputs([one, { ...one, read: undefined, cost: undefined }])).toBeUndefined();
    expect(simulatedInputs([])).toBeUndefined();
  });
});
