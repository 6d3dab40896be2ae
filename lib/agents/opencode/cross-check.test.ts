import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryDrawing } from "@/lib/core/testing/arbitrary";
import { compactionsOf, differencesOf } from "../testing/cross-check";
import { agreed } from "../testing/describe-cross-check";
import { drawnRecording } from "../testing/drawn-recording";
import { WITHOUT_RECORDINGS } from "../testing/expected";
import { fixtureSources, type RecordingSource, recordingSources } from "../testing/recording-sources";
import { opencodeEstimator, opencodeMeasures } from "./estimator";
import { crossCheck, crossChecked } from "./testing/cross-check";
import { drawnSession } from "./testing/drawn-session";

const recordings = recordingSources().filter(({ name }) => name.startsWith("opencode/"));

const agrees = (source: RecordingSource) => agreed(crossCheck, source);

describe("the two layers say the same", () => {
  it("on fixtures of every agent", async () => {
    let compactions = 0;
    for (const source of fixtureSources()) compactions += await agrees(source);
    expect(compactions).toBeGreaterThan(1000);
  });

  it.each([1, 2, 3, 4, 5, 6])("on sessions of many calls and outputs, seed %i", async (seed) => {
    const source = { name: `seed ${seed}`, bytes: () => drawnSession(seed), format: "opencode" };
    expect(await agrees(source)).toBeGreaterThan(40);
  });

  it("on drawn sessions", () => {
    let compactions = 0;
    const property = fc.property(arbitraryDrawing, (drawing) => {
      const runs = crossChecked(drawnRecording(drawing, opencodeEstimator, opencodeMeasures));
      expect(differencesOf(runs)).toEqual([]);
      compactions += compactionsOf(runs);
    });
    fc.assert(property, { numRuns: 200, seed: 7 });
    expect(compactions).toBeGreaterThan(1000);
  });

  describe("on recordings", () => {
    if (recordings.length === 0) it.skip(WITHOUT_RECORDINGS);
    it.for(recordings)("$name", { timeout: 60_000 }, async (source) => {
      expect(await agrees(source)).toBeGreaterThan(10);
    });
  });
});
