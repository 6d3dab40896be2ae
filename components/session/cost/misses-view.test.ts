import fc from "fast-check";
import { expect, test } from "vitest";
import { cacheMisses } from "@/lib/core/cost/cache-misses";
import { pricedRequests } from "@/lib/core/cost/priced-requests";
import { inputOf, recordedCost, totalOf } from "@/lib/core/cost/recorded-cost";
import { LISTED_PRICES } from "@/lib/core/prices/price-list";
import { arbitraryRequests } from "@/lib/core/testing/arbitrary-requests";
import { type DrawnRequest, drawRequests } from "@/lib/core/testing/draw-requests";
import { causeLines, listedMisses, stepRows, waterfall } from "./misses-view";

function sessionOf(drawn: readonly DrawnRequest[]) {
  const columns = drawRequests(drawn);
  const requests = pricedRequests(columns, LISTED_PRICES);
  return { requests, misses: cacheMisses(columns, requests), cost: recordedCost(requests).cost };
}

const WITH_MISSES: readonly DrawnRequest[] = [
  { write: 10_000 },
  { at: 20, write: 11_000 },
  { at: 21, read: 11_000, write: 50_000 },
  { at: 40, write: 62_000 },
  { at: 41, write: 20_000, behind: "compaction" },
];

test("cache misses are listed by cost and by cause, without the first request", () => {
  const { misses } = sessionOf(WITH_MISSES);
  expect(misses && listedMisses(misses, null).map(({ request, cause }) => [request, cause])).toEqual([
    [3, "idle"],
    [4, "compaction"],
    [1, "idle"],
  ]);
  expect(misses && listedMisses(misses, "compaction").map(({ request }) => request)).toEqual([4]);
  expect(misses && causeLines(misses).map(({ cause, count }) => [cause, count])).toEqual([
    ["idle", 2],
    ["compaction", 1],
  ]);
});

test("the waterfall's steps are stacked, and end at the session's cost", () => {
  fc.assert(
    fc.property(arbitraryRequests, (drawn) => {
      const { misses, cost } = sessionOf(drawn);
      fc.pre(misses !== undefined && cost !== undefined);
      if (misses === undefined || cost === undefined) return;
      const steps = waterfall(misses, inputOf(cost), cost.output) ?? [];
      expect(steps.at(-1)).toMatchObject({ id: "total", start: 0, amount: totalOf(cost) });
      for (const [index, step] of steps.slice(1, -1).entries()) {
        const before = steps[index];
        expect(step.start).toBe((before?.start ?? 0) + (before?.amount ?? 0));
      }
    }),
  );
});

test("every step lists the requests that make up its sum", () => {
  fc.assert(
    fc.property(arbitraryRequests, (drawn) => {
      const { requests, misses, cost } = sessionOf(drawn);
      if (misses === undefined || cost === undefined) return;
      for (const { id, amount } of waterfall(misses, inputOf(cost), cost.output) ?? []) {
        const rows = stepRows(id, requests, misses);
        expect(
          rows.reduce((sum, row) => sum + row.cost, 0),
          id,
        ).toBe(amount);
      }
    }),
  );
});

test("no waterfall is drawn if a cache miss has no price", () => {
  const { misses } = sessionOf(WITH_MISSES.map((one) => ({ ...one, model: "nobody-knows" })));
  expect(misses && waterfall(misses, 1, 1)).toBeUndefined();
});
