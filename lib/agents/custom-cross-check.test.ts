import fc from "fast-check";
import { expect, it } from "vitest";
import { arbitraryDrawing } from "@/lib/core/testing/arbitrary";
import { compactionsOf, differencesOf } from "./testing/cross-check";
import { crossCheck, crossChecked, customEstimator } from "./testing/custom-cross-check";
import { describeCrossCheck } from "./testing/describe-cross-check";
import { drawnRecording } from "./testing/drawn-recording";
import { drawnSources, fixtureSources, recordingSources } from "./testing/recording-sources";

/** A seeded part of the cross-check; `npm run bench cross-check` makes the whole. */
describeCrossCheck(crossCheck, [
  ["fixtures of every agent", fixtureSources()],
  ["recordings", drawnSources(recordingSources(), 3, 7)],
]);

/** The same with typed messages of two and three blocks: a compaction may leave some of them. */
const ofSeveralBlocks = arbitraryDrawing.map((drawing) =>
  drawing.replace(/u(\d+)/g, (_, size) => `u${size}${"+9".repeat(Number(size) % 3)}`),
);

it("drawn sessions", () => {
  let compactions = 0;
  const property = fc.property(fc.oneof(arbitraryDrawing, ofSeveralBlocks), (drawing) => {
    const runs = crossChecked(drawnRecording(drawing, customEstimator));
    expect(differencesOf(runs)).toEqual([]);
    compactions += compactionsOf(runs);
  });
  fc.assert(property, { numRuns: 300, seed: 7 });
  expect(compactions).toBeGreaterThan(1000);
});
