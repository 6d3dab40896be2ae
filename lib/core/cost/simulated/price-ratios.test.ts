import { expect, it } from "vitest";
import { LISTED_PRICES } from "../../prices/price-list";
import { type DrawnRequest, drawRequests } from "../../testing/draw-requests";
import { pricedRequests } from "../priced-requests";
import { priceRatios } from "./price-ratios";

function ratiosOf(drawn: readonly DrawnRequest[], ttl: Parameters<typeof priceRatios>[1] = "recorded") {
  return priceRatios(pricedRequests(drawRequests(drawn), LISTED_PRICES), ttl);
}

const CLAUDE = { model: "claude-opus-4-5", write: 1000 };

it("price ratios are those of the rates that most requests have", () => {
  expect(ratiosOf([CLAUDE])).toEqual({ write: 12.5, input: 10, output: 50 });
  // Written tokens cost as much as plain ones if a list has no price for writing.
  expect(ratiosOf([{ model: "gpt-5.2", plain: 1000 }])).toEqual({ write: 10, input: 10, output: 80 });
  const mixed = [{ model: "gpt-5.2", plain: 1000 }, CLAUDE, CLAUDE];
  expect(ratiosOf(mixed)?.output).toBe(50);
});

it("price ratios depend on the cache TTL of most written tokens, recorded or assumed", () => {
  const long = { model: "claude-opus-4-5", long: 2000 };
  expect(ratiosOf([CLAUDE, long])?.write).toBe(20);
  expect(ratiosOf([CLAUDE, CLAUDE, CLAUDE, long])?.write).toBe(12.5);
  expect(ratiosOf([CLAUDE, long], "5m")?.write).toBe(12.5);
  expect(ratiosOf([CLAUDE], "1h")?.write).toBe(20);
});

it("price ratios are unknown if no request has a price", () => {
  expect(ratiosOf([{ model: "coder-model", plain: 1000 }])).toBeUndefined();
  expect(ratiosOf([{ model: "coder-model", plain: 1000 }, CLAUDE])?.write).toBe(12.5);
  expect(ratiosOf([])).toBeUndefined();
});
