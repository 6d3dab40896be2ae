import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryDrawing } from "@/lib/core/testing/arbitrary";
import { type CrossCheckRun, compactionsOf, differencesOf, metIn } from "../testing/cross-check";
import { agreed, agreedRuns } from "../testing/describe-cross-check";
import { drawnRecording } from "../testing/drawn-recording";
import { WITHOUT_RECORDINGS } from "../testing/expected";
import { drawnSources, fixtureSources, type RecordingSource, recordingSources } from "../testing/recording-sources";
import { piEstimatorOf, piMeasures } from "./estimator";
import { PI_PRESETS } from "./presets";
import { crossCheck, crossChecked } from "./testing/cross-check";

const recordings = recordingSources().filter(({ name }) => name.startsWith("pi/"));

const agrees = (source: RecordingSource) => agreed(crossCheck, source);

describe("the two layers say the same", () => {
  it("on fixtures of every agent", { timeout: 60_000 }, async () => {
    const runs: CrossCheckRun[] = [];
    for (const source of fixtureSources()) runs.push(...(await agreedRuns(crossCheck, source)));
    expect(compactionsOf(runs)).toBeGreaterThan(3000);
    const met = metIn(runs);
    expect(met.get("empty answers with the words of a split turn")).toBeGreaterThan(10);
    expect(met.get("empty answers with files that were read")).toBeGreaterThan(10);
    expect(met.get("empty answers with files that were changed")).toBeGreaterThan(0);
  });

  it.each(PI_PRESETS)("on drawn sessions, %s", { timeout: 60_000 }, (preset) => {
    let compactions = 0;
    const property = fc.property(arbitraryDrawing, (drawing) => {
      const runs = crossChecked(drawnRecording(drawing, piEstimatorOf(preset), piMeasures), preset);
      expect(differencesOf(runs)).toEqual([]);
      compactions += compactionsOf(runs);
    });
    fc.assert(property, { numRuns: 200, seed: 7 });
    expect(compactions).toBeGreaterThan(1000);
  });

  describe("on recordings", () => {
    if (recordings.length === 0) it.skip(WITHOUT_RECORDINGS);
    it.for(drawnSources(recordings, 1, 3))("$name", { timeout: 60_000 }, async (source) => {
      expect(await agrees(source)).toBeGreaterThan(10);
    });
  });
});
