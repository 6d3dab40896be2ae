import fc from "fast-check";
import { expect, it } from "vitest";
import { arbitraryClearedDrawing, arbitraryDrawing } from "@/lib/core/testing/arbitrary";
import { crossCheck, crossChecked } from "./testing/counting-check";
import { compactionsOf, differencesOf } from "./testing/cross-check";
import { customEstimator } from "./testing/custom-cross-check";
import { describeCrossCheck } from "./testing/describe-cross-check";
import { drawnRecording } from "./testing/drawn-recording";
import { drawnSources, fixtureSources, recordingSources } from "./testing/recording-sources";

/** A seeded part of the cross-check; `npm run bench cross-check` makes the whole. */
describeCrossCheck(crossCheck, [
  ["fixtures", drawnSources(fixtureSources(), 40, 7)],
  ["recordings", drawnSources(recordingSources(), 3, 7)],
]);

it("drawn sessions", { timeout: 30_000 }, () => {
  let compactions = 0;
  const property = fc.property(fc.oneof(arbitraryDrawing, arbitraryClearedDrawing), (drawing) => {
    const runs = crossChecked(drawnRecording(drawing, customEstimator));
    expect(differencesOf(runs)).toEqual([]);
    compactions += compactionsOf(runs);
  });
  fc.assert(property, { numRuns: 60, seed: 7 });
  expect(compactions).toBeGreaterThan(1000);
});
