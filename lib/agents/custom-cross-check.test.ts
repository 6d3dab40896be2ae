import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryDrawing } from "@/lib/core/testing/arbitrary";
import { compactionsOf, differencesOf, drawnSources, fixtureSources, recordingSources } from "./testing/cross-check";
import { crossCheck, crossChecked, customEstimator } from "./testing/custom-cross-check";
import { drawnRecording } from "./testing/drawn-recording";
import { WITHOUT_RECORDINGS } from "./testing/expected";

/** A seeded part of the cross-check; `npm run bench cross-check` makes the whole. */
describe.each([
  ["fixtures of every agent", fixtureSources()],
  ["recordings", drawnSources(recordingSources(), 3, 7)],
])("%s", (_, sources) => {
  if (sources.length === 0) it.skip(WITHOUT_RECORDINGS);
  let compactions = 0;
  it.each(sources)("$name", async (source) => {
    const runs = await crossCheck(source);
    expect(differencesOf(runs)).toEqual([]);
    compactions += compactionsOf(runs);
  });
  it.runIf(sources.length > 0)("compacted often enough to say something", () => {
    expect(compactions).toBeGreaterThan(3 * sources.length);
  });
});

it("drawn sessions", () => {
  let compactions = 0;
  const property = fc.property(arbitraryDrawing, (drawing) => {
    const runs = crossChecked(drawnRecording(drawing, customEstimator));
    expect(differencesOf(runs)).toEqual([]);
    compactions += compactionsOf(runs);
  });
  fc.assert(property, { numRuns: 200, seed: 7 });
  expect(compactions).toBeGreaterThan(1000);
});
