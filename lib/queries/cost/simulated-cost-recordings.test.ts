import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { recordedContext } from "@/lib/core/columns/columns";
import { sizeTokenColumn } from "@/lib/core/columns/token-columns";
import { recordingOf } from "@/lib/core/context/recording";
import { dollarsOf } from "@/lib/core/cost/money";
import { pricedRequests } from "@/lib/core/cost/priced-requests";
import { costBasis, simulatedCost } from "@/lib/core/cost/simulated/simulated-cost";
import { LISTED_PRICES } from "@/lib/core/prices/price-list";
import { runReplay } from "../replays/replay-result";
import { RECORDINGS, readSession } from "../testing/sessions";
import { toCost } from "./cost";
import { ReplayCosts } from "./simulated-cost";

/** The test skips without recordings beside the project. */
describe.skipIf(RECORDINGS.length === 0)("recordings that read from a cache", () => {
  it("have a cost within the rule's bounds, also under a policy that changes nothing", () => {
    let [known, unchanged] = [0, 0];
    for (const path of RECORDINGS) {
      const { session, columns } = readSession(path);
      const name = basename(path);
      const { bill, costUsd, cacheRule } = toCost(session, columns, LISTED_PRICES);
      const { total } = costUsd;
      // A replay also prices inherited requests.
      if (cacheRule === null || total === null || bill.own === null) continue;
      known += 1;
      const tokens = sizeTokenColumn(columns, "bytes-4");
      const recording = recordingOf(session, { columns, tokens });
      const costs = new ReplayCosts(recording, LISTED_PRICES);
      const costOf = (policy: string) => {
        const { prepared, replay } = runReplay({ policy }, recording);
        return costs.of(prepared, replay);
      };
      const recorded = costOf("recorded");
      expect([recorded?.low, recorded?.total, recorded?.high], name).toEqual([total, total, total]);
      // Prices the same contexts by the cache rule alone. The shared prefix after a change of the history is not recorded.
      if (columns.boundaries.length > 0) continue;
      unchanged += 1;
      const requests = pricedRequests(columns, LISTED_PRICES);
      const context = Int32Array.from(columns.requests.input, (_, point) => recordedContext(columns, point));
      const shared = context.map((sent, point) => Math.min(sent, context[point - 1] ?? 0));
      const byRule = simulatedCost(costBasis(columns, requests), { context, shared, compactions: [] }, true);
      expect(dollarsOf(byRule?.low ?? Number.NaN), name).toBeLessThanOrEqual(total);
      expect(dollarsOf(byRule?.high ?? Number.NaN), name).toBeGreaterThanOrEqual(total);
      // A replay that follows the recording to its end has the recorded cost.
      const none = costOf("none");
      expect([none?.low, none?.total, none?.high], name).toEqual([total, total, total]);
    }
    expect(known).toBeGreaterThan(20);
    expect(unchanged).toBeGreaterThan(10);
  });
});
