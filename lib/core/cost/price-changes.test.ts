import { expect, test } from "vitest";
import { PriceList } from "../prices/price-list";
import { rates } from "../prices/rates";
import { DRAWN_START, drawRequests } from "../testing/draw-requests";
import { repricedModels } from "./price-changes";
import { pricedRequests } from "./priced-requests";

const DAY = new Date(DRAWN_START + 86_400_000).toISOString().slice(0, 10);
const dated = [
  { until: DAY, tiers: [rates(3, 0.3, 3, 3, 15)] },
  { from: DAY, tiers: [rates(2, 0.2, 2, 2, 10)] },
];
const source = { source: "made up", seen: DAY, provider: "other" } as const;
const PRICES = new PriceList([
  [
    { ...source, ids: ["cheaper"], rates: dated },
    { ...source, ids: ["steady"], rates: [{ tiers: [rates(1, 0.1, 1, 1, 2)] }] },
  ],
]);

test("a model is named if its price changed during the session", () => {
  const of = (at: number) => {
    const drawn = ["cheaper", "steady", "unknown"].flatMap((model) => [
      { model, plain: 5 },
      { model, plain: 9_000, at },
    ]);
    return [...repricedModels(pricedRequests(drawRequests(drawn), PRICES))];
  };
  expect(of(24 * 60)).toEqual(["cheaper"]);
  expect(of(60)).toEqual([]);
});

test("a session priced as another model names that model", () => {
  const drawn = drawRequests([
    { model: "steady", plain: 5 },
    { model: "unknown", plain: 5, at: 24 * 60 },
  ]);
  const of = (on: string) => [...repricedModels(pricedRequests(drawn, PRICES, { on }), on)];
  expect([of("cheaper"), of("steady")]).toEqual([["cheaper"], []]);
});
