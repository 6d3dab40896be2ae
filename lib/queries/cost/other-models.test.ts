import { expect, it } from "vitest";
import { PriceList } from "@/lib/core/prices/price-list";
import { cachePricedOtherwise } from "./other-models";

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
    entry("dearer", rates(50, 5)),
    entry("early", rates(4, 0.2)),
    entry("gone", rates(1, 0.9, "2026-01-02")),
    entry("late", rates(10, 0.25)),
    entry("about-late", rates(8, 0.25)),
    entry("elsewhere", rates(1, 0.75), "openai"),
  ],
]);

it("models with another cache-read share are named once per share, whatever the level of their prices", () => {
  expect(cachePricedOtherwise(["own"], LIST)).toEqual(["about-late"]);
  expect(cachePricedOtherwise(["late"], LIST)).toEqual(["early", "dearer"]);
});

it("there are none for a model without a price, nor of another provider", () => {
  expect(cachePricedOtherwise(["unknown"], LIST)).toEqual([]);
  expect(cachePricedOtherwise([], LIST)).toEqual([]);
  expect(cachePricedOtherwise(["elsewhere"], LIST)).toEqual([]);
});
