/**
 * Measures the search for the hindsight optimum alone, by number of requests, with one that is never limited by the window and one that is.
 */

import { pricedRequests } from "@/lib/core/cost/priced-requests";
import { hindsightOptimum, type Schedulable } from "@/lib/core/cost/simulated/hindsight-optimum";
import { costBasis } from "@/lib/core/cost/simulated/simulated-cost";
import { LISTED_PRICES, PriceList } from "@/lib/core/prices/price-list";
import { rates } from "@/lib/core/prices/rates";
import { drawRequests } from "@/lib/core/testing/draw-requests";
import { markdownTable, median } from "./support/table";

const SIZES = [1000, 5000, 20_000];
/** A made-up price list in which large requests are cheaper: no stretch is known to be worse for being larger. */
const FALLING = new PriceList([
  [
    {
      ids: ["falling"],
      provider: "anthropic",
      source: "made up",
      seen: "2026-11-24",
      rates: [{ tiers: [rates(5, 0.5, 6.25, 10, 25), rates(4, 0.4, 5, 8, 20, 100_000)] }],
    },
  ],
]);
const MODELS = [
  ["claude-opus-4-5", LISTED_PRICES],
  ["gpt-5.5", LISTED_PRICES],
  ["falling", FALLING],
] as const;
const RUNS = 7;
/** Tokens that every request adds to the context, and tokens that every compaction keeps. */
const GROWTH = 800;
const LEFT = 30_000;
const WINDOWS = [200_000, 1_000_000_000];

/** @param sizes numbers of requests; by default all of `SIZES` */
export async function main(sizes: readonly string[]): Promise<void> {
  const rows: string[][] = [];
  for (const requests of sizes.length > 0 ? sizes.map(Number) : SIZES) {
    for (const [model, prices] of MODELS) {
      const columns = drawRequests(
        Array.from({ length: requests }, (_, index) => ({ model, read: index * GROWTH, write: GROWTH, output: 300 })),
      );
      const basis = costBasis(columns, pricedRequests(columns, prices));
      for (const window of WINDOWS) {
        const times = Array.from({ length: RUNS }, () => {
          const started = performance.now();
          hindsightOptimum(basis, session(requests), window, true);
          return performance.now() - started;
        });
        rows.push([requests, model, window].map((cell) => cell.toLocaleString("en")).concat(median(times).toFixed(0)));
      }
    }
  }
  console.log(markdownTable(["requests", "model", "window", "median, ms"], rows));
}

function session(requests: number): Schedulable {
  const column = (value: (point: number) => number) =>
    Int32Array.from({ length: requests }, (_, point) => value(point));
  const context = column((point) => LEFT + (point + 1) * GROWTH);
  const shared = column((point) => (point === 0 ? 0 : LEFT + point * GROWTH));
  const left = {
    tokens: column(() => LEFT),
    shared: column(() => 20_000),
    callTokens: context,
    summaryTokens: column(() => 1500),
    calledAgain: column(() => LEFT),
  };
  const simulated = { context, shared };
  return { ...simulated, simulated, estimated: column(() => 1), left, turnStart: column(() => 0) };
}
