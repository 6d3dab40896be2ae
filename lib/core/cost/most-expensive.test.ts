import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LISTED_PRICES } from "../prices/price-list";
import { arbitraryRequests } from "../testing/arbitrary-requests";
import { type DrawnRequest, drawRequests } from "../testing/draw-requests";
import { cacheMisses } from "./cache-misses";
import { mostExpensiveRequests } from "./most-expensive";
import { pricedRequests } from "./priced-requests";

function mostExpensive(drawn: readonly DrawnRequest[], most = 3) {
  const columns = drawRequests(drawn);
  const requests = pricedRequests(columns, LISTED_PRICES);
  return mostExpensiveRequests(requests, cacheMisses(columns, requests), most);
}

describe("the most expensive requests", () => {
  it("are those with the highest cost, each with its parts", () => {
    const found = mostExpensive([
      { write: 20_000 },
      { read: 20_000, write: 60_000 },
      { read: 80_000, output: 100 },
      { at: 40, write: 81_000 },
      { at: 41, read: 81_000, write: 100, output: 20_000 },
    ]);
    expect(found.map(({ request, because, cause }) => [request, because, cause])).toEqual([
      [4, "output", undefined],
      [3, "again", "idle"],
      [1, "fresh", undefined],
    ]);
    // 80,000 were lost, and each costs 5.75 more than reading it; the rest of the request's cost is 81,000 × 6.25 less that.
    expect(found[1]).toMatchObject({
      cost: 506_250,
      parts: { read: 0, again: 460_000, fresh: 46_250, output: 0 },
      tokens: { read: 0, again: 80_000, fresh: 1000, output: 0 },
    });
  });

  it("name new content as the reason of a session's first request", () => {
    expect(mostExpensive([{ write: 20_000 }])).toMatchObject([
      { because: "fresh", cause: "first", tokens: { again: 0 } },
    ]);
  });

  it("omit requests without a price, and put the earlier of two equal ones first", () => {
    const drawn = [{ plain: 10 }, { model: "coder-model", plain: 9_000_000 }, { plain: 10 }];
    expect(mostExpensive(drawn).map(({ request }) => request)).toEqual([0, 2]);
  });

  it("have parts that sum to their cost, none below 0", () => {
    fc.assert(
      fc.property(arbitraryRequests, (drawn) => {
        for (const { cost, parts } of mostExpensive(drawn, 20)) {
          const each = Object.values(parts);
          expect(each.reduce((sum, part) => sum + part, 0)).toBe(cost);
          // Parts are rounded one by one.
          for (const part of each) expect(part).toBeGreaterThanOrEqual(-1);
        }
      }),
    );
  });
});
