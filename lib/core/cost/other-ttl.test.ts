import { describe, expect, it } from "vitest";
import { LISTED_PRICES } from "../prices/price-list";
import { type DrawnRequest, drawRequests } from "../testing/draw-requests";
import { dollarsOf } from "./money";
import { type ChosenTtl, costWithTtl, ttlsCompared } from "./other-ttl";
import { pricedRequests } from "./priced-requests";
import { totalOf } from "./recorded-cost";

function dollars(ttl: ChosenTtl, ...drawn: readonly DrawnRequest[]): number | undefined {
  const columns = drawRequests(drawn);
  const cost = costWithTtl(columns, pricedRequests(columns, LISTED_PRICES), ttl);
  return cost && dollarsOf(totalOf(cost));
}

describe("another cache TTL", () => {
  const idle: readonly DrawnRequest[] = [{ write: 1_000_000 }, { at: 30, read: 0, write: 1_000_000 }];

  it("gives the recorded cost if it equals the recorded TTL", () => {
    expect(dollars("5m", ...idle)).toBe(12.5);
  });

  it("reads after a shorter gap, and writes at its own price", () => {
    expect(dollars("1h", ...idle)).toBe(10 + 0.5);
  });

  it("reads nothing after a longer gap", () => {
    const kept: readonly DrawnRequest[] = [
      { write: 0, long: 1_000_000 },
      { at: 30, read: 1_000_000 },
    ];
    expect(dollars("1h", ...kept)).toBe(10.5);
    expect(dollars("5m", ...kept)).toBe(12.5);
  });

  it("removes no cache miss with another cause", () => {
    expect(dollars("1h", { write: 1_000_000 }, { read: 0, write: 1_000_000 })).toBe(20);
    expect(dollars("1h", { write: 1_000_000 }, { at: 30, behind: "compaction", read: 0, write: 100_000 })).toBe(11);
  });

  it("changes nothing if the provider sells no TTLs, and has no cost if prices are missing", () => {
    const model = "gpt-5";
    expect(dollars("1h", { model, plain: 1_000_000 }, { model, at: 30, read: 0, plain: 1_000_000 })).toBe(2.5);
    expect(dollars("1h", { model: "coder-model", plain: 5 })).toBeUndefined();
  });
});

describe("the comparison of a five-minute and a one-hour TTL", () => {
  const compared = (...drawn: readonly DrawnRequest[]) => {
    const columns = drawRequests(drawn);
    return ttlsCompared(columns, pricedRequests(columns, LISTED_PRICES));
  };

  it("states the extra cost of writes and the saving at pauses between 5 minutes and 1 hour", () => {
    const drawn: readonly DrawnRequest[] = [
      { write: 100_000 },
      { at: 1, read: 100_000, write: 20_000 },
      { at: 31, read: 0, write: 130_000 },
      { at: 131, read: 0, write: 140_000 },
    ];
    // 390,000 are written, each for 3.75 more; after the pause of half an hour 120,000 are read for 0.50 instead of written for 10.
    const extraWriteCost = 390_000 * 3.75;
    const warmPauses = 120_000 * 9.5;
    const short = 390_000 * 6.25 + 100_000 * 0.5;
    expect(compared(...drawn)).toEqual({
      short,
      long: short + extraWriteCost - warmPauses,
      pauses: 1,
      extraWriteCost,
      warmPauses,
    });
  });

  it("is the same for a session whose cache writes had the one-hour TTL", () => {
    const long: readonly DrawnRequest[] = [
      { write: 0, long: 100_000 },
      { at: 30, read: 100_000, write: 0, long: 10_000 },
    ];
    // For five minutes 210,000 are written; for an hour 110,000 are, and 100,000 are read.
    expect(compared(...long)).toEqual({
      short: 210_000 * 6.25,
      long: 110_000 * 10 + 100_000 * 0.5,
      pauses: 1,
      extraWriteCost: 210_000 * 3.75,
      warmPauses: 100_000 * 9.5,
    });
  });

  it("is absent if no provider sells TTLs, or if a price is missing", () => {
    expect(compared({ model: "gpt-5", plain: 5 })).toBeUndefined();
    expect(compared({ write: 5 }, { model: "coder-model", plain: 5 })).toBeUndefined();
    expect(compared()).toBeUndefined();
  });
});
