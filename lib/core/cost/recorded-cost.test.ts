import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LISTED_PRICES } from "../prices/price-list";
import { arbitraryRequests } from "../testing/arbitrary-requests";
import { DRAWN_START, drawRequests } from "../testing/draw-requests";
import { onePrice } from "../testing/one-price";
import { dollarsOf } from "./money";
import { pricedRequests } from "./priced-requests";
import { type Cost, costOfRequest, NO_COST, recordedCost, sumOf, totalOf } from "./recorded-cost";

function costOf(drawn: Parameters<typeof drawRequests>[0], start = DRAWN_START, prices = LISTED_PRICES) {
  return recordedCost(pricedRequests(drawRequests(drawn, start), prices));
}

/** Total of the session in dollars. */
function dollars(...args: Parameters<typeof costOf>): number | undefined {
  const { cost } = costOf(...args);
  return cost && dollarsOf(totalOf(cost));
}

const MILLION = 1_000_000;

describe("cost of a session", () => {
  it("adds reads, writes, plain input and output, each at its own price", () => {
    const { cost } = costOf([{ read: 2 * MILLION, write: MILLION, plain: 100_000, output: 10_000 }]);
    expect(cost).toEqual({ read: 1_000_000, write: 6_250_000, plain: 500_000, output: 250_000 });
    expect(cost && totalOf(cost)).toBe(8_000_000);
  });

  it("prices one-hour writes at twice the input, not at the price of five-minute writes", () => {
    expect(dollars([{ write: 0, long: MILLION }])).toBe(10);
    expect(dollars([{ write: MILLION }])).toBe(6.25);
    expect(dollars([{ write: 400_000, long: 600_000 }])).toBe(2.5 + 6);
  });

  it("prices a long request as a whole at the rates of long requests, while these are higher", () => {
    const long = [{ model: "claude-opus-4-6", read: 240_000, write: 10_000, output: 1000 }];
    expect(dollars(long, Date.parse("2026-02-20"))).toBe(0.4025);
    expect(dollars(long, Date.parse("2026-04-20"))).toBe(0.2075);
  });

  it("uses the price of each request's day", () => {
    const day = 24 * 60;
    const across = [0, day].map((at) => ({ at, model: "gpt-5.6-luna", plain: 100_000 }));
    expect(dollars(across, Date.parse("2026-07-29T12:00:00Z"))).toBeCloseTo(0.1 + 0.02, 9);
  });

  it("halves a batch, and charges more for speed and for staying in the United States", () => {
    const drawn = { model: "claude-opus-5", plain: MILLION };
    const given = (terms: object) => dollars([{ ...drawn, terms }]);
    expect(given({})).toBe(5);
    expect(given({ serviceTier: "batch" })).toBe(2.5);
    expect(given({ inferenceGeo: "us" })).toBe(5.5);
    expect(given({ inferenceGeo: "eu" })).toBe(5);
    expect(given({ speed: "fast" })).toBe(10);
    expect(given({ speed: "fast", inferenceGeo: "us", serviceTier: "batch" })).toBe(5.5);
  });

  it("prices OpenAI's service tiers by the model's own factor", () => {
    // 20,000 plain at 2, 80,000 read at 0.20 and 1,000 written at 12 dollars per million.
    const drawn = { model: "gpt-5.6-terra", plain: 20_000, read: 80_000, output: 1000 };
    const day = Date.parse("2026-09-10");
    const tier = (serviceTier: string, model = drawn.model) =>
      dollars([{ ...drawn, model, terms: { serviceTier } }], day);
    expect(dollars([drawn], day)).toBe(0.068);
    expect(tier("default")).toBe(0.068);
    expect(tier("priority")).toBe(0.136);
    expect(tier("fast")).toBe(0.136);
    expect(tier("flex")).toBe(0.034);
    expect(tier("batch")).toBe(0.034);
    expect(tier("priority", "gpt-5.5")).toBe(0.425);
    expect(tier("priority", "gpt-5.2-codex")).toBeUndefined();
    expect(tier("a tier of tomorrow")).toBeUndefined();
    expect(dollars([{ model: "claude-opus-5", plain: MILLION, terms: { serviceTier: "priority" } }])).toBe(5);
  });

  it("has no price for an unknown speed", () => {
    expect(dollars([{ model: "claude-opus-4-5", plain: 1, terms: { speed: "fast" } }])).toBeUndefined();
    expect(dollars([{ model: "claude-opus-5", plain: 1, terms: { speed: "ludicrous" } }])).toBeUndefined();
  });

  it("has no surcharge for US-only inference with models before Claude 4.6", () => {
    expect(dollars([{ model: "claude-opus-4-5", plain: MILLION, terms: { inferenceGeo: "us" } }])).toBe(5);
  });

  it("has no total if one request has no price, but has totals of the priced models", () => {
    const { cost, priced, requests, byModel } = costOf([
      { plain: MILLION },
      { model: "coder-model", plain: 10 },
      { model: null, plain: 10 },
    ]);
    expect([cost, priced, requests]).toEqual([undefined, 1, 3]);
    expect(byModel.get("claude-opus-4-5")?.cost?.plain).toBe(5_000_000);
    expect(byModel.get("coder-model")).toMatchObject({ requests: 1, cost: undefined });
    expect(byModel.get("")).toMatchObject({ requests: 1, cost: undefined });
  });

  it("is absent for a session without requests, not 0", () => {
    expect(costOf([])).toMatchObject({ requests: 0, priced: 0, cost: undefined, byModel: new Map() });
    expect(costOf([{ plain: 0, output: 50 }]).cost).toBeUndefined();
  });

  it("prices writes as plain input if the list has no write price", () => {
    expect(dollars([{ model: "gpt-5", write: MILLION }])).toBe(1.25);
  });

  it("finds a model under any provider prefix", () => {
    for (const model of ["zhipuai/glm-4.6", "zai/glm-4.6", "glm-4.6"])
      expect(dollars([{ model, plain: MILLION }])).toBe(0.6);
  });

  it("can use the prices of another model, and of another day", () => {
    const columns = drawRequests([{ plain: MILLION }, { model: "coder-model", plain: MILLION }]);
    const on = recordedCost(pricedRequests(columns, LISTED_PRICES, { on: "gpt-5.5" }));
    expect(on.cost?.plain).toBe(20 * MILLION);
    // Before the price of GPT-5.6 Luna fell by four fifths.
    const day = Date.parse("2026-07-29");
    const then = recordedCost(pricedRequests(columns, LISTED_PRICES, { on: "gpt-5.6-luna", day }));
    expect(then.cost?.plain).toBe(4 * MILLION);
  });

  it("keeps each request's time of day with prices of another day", () => {
    const peak = drawRequests([{ model: "deepseek-v4-pro", plain: MILLION }], Date.parse("2026-01-05T07:00:00Z"));
    const quiet = drawRequests([{ model: "deepseek-v4-pro", plain: MILLION }], Date.parse("2026-01-05T12:00:00Z"));
    const [dear, cheap] = [peak, quiet].map((columns) =>
      recordedCost(pricedRequests(columns, LISTED_PRICES, { day: Date.parse("2026-09-01") })),
    );
    expect(dear?.cost?.plain).toBe(2 * (cheap?.cost?.plain ?? Number.NaN));
  });
});

/** Whole cents per million tokens, so that nothing is rounded for tokens in hundreds. */
const price = fc.integer({ min: 0, max: 10_000 }).map((cents) => cents / 100);
const prices = fc.tuple(price, price, price, price, price);
const hundreds = (requests: Parameters<typeof drawRequests>[0]) =>
  requests.map((one) => ({
    ...one,
    model: "m",
    plain: (one.plain ?? 0) * 100,
    read: (one.read ?? 0) * 100,
    write: (one.write ?? 0) * 100,
    long: (one.long ?? 0) * 100,
    output: (one.output ?? 0) * 100,
  }));

describe("for any session", () => {
  it("parts sum to the total, and requests and models sum to the session", () => {
    fc.assert(
      fc.property(arbitraryRequests, (drawn) => {
        const requests = pricedRequests(drawRequests(drawn), LISTED_PRICES);
        const { cost, byModel } = recordedCost(requests);
        const costs = requests.map((request) => costOfRequest(request));
        const known = costs.flatMap((one) => one ?? []);
        const sum = known.reduce(sumOf, NO_COST);
        if (known.length < costs.length || costs.length === 0) expect(cost).toBeUndefined();
        else expect(cost).toEqual(sum);
        const models = [...byModel.values()].map((one) => one.cost);
        if (!models.includes(undefined) && models.length > 0) {
          expect(models.reduce<Cost>((all, one) => sumOf(all, one ?? NO_COST), NO_COST)).toEqual(cost);
        }
      }),
    );
  });

  it("the cost is linear in all prices, and doubling one price doubles only its part", () => {
    fc.assert(
      fc.property(arbitraryRequests, prices, (drawn, [input, read, short, long, output]) => {
        const requests = hundreds(drawn);
        if (requests.length === 0) return;
        const cost = (...list: [number, number, number, number, number]) => {
          const found = costOf(requests, DRAWN_START, onePrice(list)).cost ?? NO_COST;
          // A request that sent nothing does not count.
          return found;
        };
        const once = cost(input, read, short, long, output);
        expect(totalOf(cost(input * 2, read * 2, short * 2, long * 2, output * 2))).toBe(2 * totalOf(once));
        expect(cost(input, read * 2, short, long, output)).toEqual({ ...once, read: 2 * once.read });
        expect(cost(input, read, short * 2, long * 2, output)).toEqual({ ...once, write: 2 * once.write });
        expect(cost(input * 2, read, short, long, output)).toEqual({ ...once, plain: 2 * once.plain });
        expect(cost(input, read, short, long, output * 2)).toEqual({ ...once, output: 2 * once.output });
      }),
    );
  });
});
