import { expect, test } from "vitest";
import { countedBySize } from "@/lib/core/columns/token-columns";
import { recordingOf } from "@/lib/core/context/recording";
import { LISTED_PRICES } from "@/lib/core/prices/price-list";
import { drawColumns } from "@/lib/core/testing/draw";
import { unknownFacts } from "@/lib/core/testing/unknown-facts";
import { ReplayCosts } from "@/lib/queries/cost/simulated-cost";
import { sweepRange } from "@/lib/queries/replays/sweep";
import { sweepInSlices } from "./use-sweep";

const columns = drawColumns("u100 a300 u100 c5 r300 a50 u400 a300 u20 a10".repeat(8));
const recording = recordingOf(unknownFacts(2000), countedBySize(columns, "bytes-4"));
const costs = new ReplayCosts(recording, LISTED_PRICES);
const plan = {
  policy: "custom",
  vary: [
    { key: "triggerShare", from: 0.3, to: 0.9, step: 0.2 },
    { key: "keepRecentTokens", from: 0, to: 900, step: 300 },
  ],
};

test("each point of the sweep is computed once, in slices with progress", async () => {
  const progress: number[] = [];
  const { points, front } = await sweepInSlices(plan, recording, costs, {
    signal: new AbortController().signal,
    onProgress: (done) => progress.push(done),
  });
  expect(points).toEqual(sweepRange(plan, recording, costs, { from: 0, to: 16 }));
  expect(new Set(points.map(({ metrics }) => metrics.compactions)).size).toBeGreaterThan(2);
  expect(progress.at(-1)).toBe(16);
  expect(front.filter(Boolean).length).toBeGreaterThan(1);
  expect(front).toContain(false);
});

test("a sweep ends when it is aborted", async () => {
  const abort = new AbortController();
  const onProgress = () => abort.abort();
  const vary = [{ key: "triggerShare", from: 0.1, to: 0.9, step: 0.0001 }];
  const running = sweepInSlices({ ...plan, vary }, recording, costs, { signal: abort.signal, onProgress });
  await expect(running).rejects.toThrow("aborted");
});
