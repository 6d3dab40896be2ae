import { describe, expect, it } from "vitest";
import { LISTED_PRICES } from "../prices/price-list";
import { type DrawnRequest, drawRequests } from "../testing/draw-requests";
import { dollarsOf } from "./money";
import { type ChosenLifetime, costWithLifetime } from "./other-lifetime";
import { pricedRequests } from "./priced-requests";
import { totalOf } from "./recorded-cost";

function dollars(lifetime: ChosenLifetime, ...drawn: readonly DrawnRequest[]): number | undefined {
  const columns = drawRequests(drawn);
  const cost = costWithLifetime(columns, pricedRequests(columns, LISTED_PRICES), lifetime);
  return cost && dollarsOf(totalOf(cost));
}

describe("another lifetime of the cache", () => {
  const idle: readonly DrawnRequest[] = [{ write: 1_000_000 }, { at: 30, read: 0, write: 1_000_000 }];

  it("is what was recorded where it is the recorded one", () => {
    expect(dollars("5m", ...idle)).toBe(12.5);
  });

  it("reads over a gap that it outlives, and writes at its own price", () => {
    expect(dollars("1h", ...idle)).toBe(10 + 0.5);
  });

  it("reads nothing over a gap that it does not outlive", () => {
    const kept: readonly DrawnRequest[] = [
      { write: 0, long: 1_000_000 },
      { at: 30, read: 1_000_000 },
    ];
    expect(dollars("1h", ...kept)).toBe(10.5);
    expect(dollars("5m", ...kept)).toBe(12.5);
  });

  it("mends no break that has another cause", () => {
    expect(dollars("1h", { write: 1_000_000 }, { read: 0, write: 1_000_000 })).toBe(20);
    expect(dollars("1h", { write: 1_000_000 }, { at: 30, behind: "compaction", read: 0, write: 100_000 })).toBe(11);
  });

  it("changes nothing where the provider sells no lifetimes, and knows nothing without a price", () => {
    const model = "gpt-5";
    expect(dollars("1h", { model, plain: 1_000_000 }, { model, at: 30, read: 0, plain: 1_000_000 })).toBe(2.5);
    expect(dollars("1h", { model: "coder-model", plain: 5 })).toBeUndefined();
  });
});
