import { expect, it } from "vitest";
import { PriceList } from "@/lib/core/prices/price-list";
import { modelsWithOtherCacheShare } from "./other-models";

const rates = (input: number, read: number, until?: string) => [
  { until, tiers: [{ from: 0, input, output: 5, read }] },
];
const entry = (id: string, dated: ReturnType<typeof rates>, provider: "anthropic" | "openai" = "anthropic") => ({
  ids: [id],
  provider,
  rates: dated,
  source: "a test",
  seen: "2026-01-01",
});

const LIST = new PriceList([
  [
    entry("own", rates(5, 0.5)),
    entry("expensive", rates(50, 5)),
    entry("early", rates(4, 0.2)),
    entry("expired", rates(1, 0.9, "2026-01-02")),
    entry("late", rates(10, 0.25)),
    entry("near-late", rates(8, 0.25)),
    entry("other-provider", rates(1, 0.75), "openai"),
  ],
]);

it("models with another cache-read share are named once per share, whatever the level of their prices", () => {
  expect(modelsWithOtherCacheShare(["own"], LIST)).toEqual(["near-late"]);
  expect(modelsWithOtherCacheShare(["late"], LIST)).toEqual(["early", "expensive"]);
});

it("no models are named for a model without a price, or of an unlisted provider", () => {
  expect(modelsWithOtherCacheShare(["unknown"], LIST)).toEqual([]);
  expect(modelsWithOtherCacheShare([], LIST)).toEqual([]);
  expect(modelsWithOtherCacheShare(["other-provider"], LIST)).toEqual([]);
});
