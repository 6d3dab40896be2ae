import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryDrawing } from "@/lib/core/testing/arbitrary";
import { type CrossCheckRun, compactionsOf, differencesOf, metIn } from "../testing/cross-check";
import { agreed, agreedRuns } from "../testing/describe-cross-check";
import { drawnRecording } from "../testing/drawn-recording";
import { WITHOUT_RECORDINGS } from "../testing/expected";
import { drawnSources, fixtureSources, type RecordingSource, recordingSources } from "../testing/recording-sources";
import { qwenCodeContentEstimator, qwenCodeMeasures } from "./estimator";
import { crossCheck, crossChecked } from "./testing/cross-check";
import { generatedSession } from "./testing/generated-session";

/** No recording of Qwen Code's own lies beside the project: some of the others'. */
const recordings = recordingSources();

const agrees = (source: RecordingSource) => agreed(crossCheck, source);

describe("the two layers say the same", () => {
  it("on fixtures of every agent", { timeout: 60_000 }, async () => {
    let compactions = 0;
    for (const source of fixtureSources()) compactions += await agrees(source);
    expect(compactions).toBeGreaterThan(800);
  });

  it("on generated sessions", { timeout: 60_000 }, async () => {
    const runs: CrossCheckRun[] = [];
    for (let seed = 0; seed < 16; seed++) {
      const source = { name: `generated ${seed}`, bytes: () => generatedSession(seed), format: "qwen-code" };
      runs.push(...(await agreedRuns(crossCheck, source)));
    }
    expect(compactionsOf(runs)).toBeGreaterThan(500);
    expect(metIn(runs).get("outputs cut as they enter")).toBeGreaterThan(50);
    expect(metIn(runs).get("cleared before: summary")).toBeGreaterThan(5);
    expect(metIn(runs).get("cleared before: failed")).toBeGreaterThan(5);
    expect(metIn(runs).get("pictures cleared that were put back")).toBeGreaterThan(5);
  });

  it("on drawn sessions", { timeout: 60_000 }, async () => {
    let compactions = 0;
    const property = fc.asyncProperty(arbitraryDrawing, async (drawing) => {
      const runs = await crossChecked(drawnRecording(drawing, qwenCodeContentEstimator, qwenCodeMeasures));
      expect(differencesOf(runs)).toEqual([]);
      compactions += compactionsOf(runs);
    });
    await fc.assert(property, { numRuns: 100, seed: 7 });
    expect(compactions).toBeGreaterThan(500);
  });

  describe("on recordings", () => {
    if (recordings.length === 0) it.skip(WITHOUT_RECORDINGS);
    it.for(drawnSources(recordings, 3, 7))("$name", { timeout: 60_000 }, async (source) => {
      expect(await agrees(source)).toBeGreaterThan(0);
    });
  });
});
