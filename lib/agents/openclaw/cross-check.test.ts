import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryDrawing } from "@/lib/core/testing/arbitrary";
import { type CrossCheckRun, compactionsOf, differencesOf, metIn } from "../testing/cross-check";
import { agreed, agreedRuns } from "../testing/describe-cross-check";
import { drawnRecording } from "../testing/drawn-recording";
import { WITHOUT_RECORDINGS } from "../testing/expected";
import { drawnSources, fixtureSources, type RecordingSource, recordingSources } from "../testing/recording-sources";
import { openClawEstimatorOf, openClawMeasures } from "./estimator";
import { OPENCLAW_PRESETS } from "./presets";
import { crossCheck, crossChecked } from "./testing/cross-check";

/** No recording of OpenClaw's own lies beside the project: some of the others'. */
const recordings = recordingSources();

/** What drawn sessions have to meet for their agreement to say anything of it. */
const MET = {
  "as-documented": ["notes in a summary's place"],
  current: [
    "prompts by the route fits",
    "prompts by the route compact_only",
    "prompts by the route truncate_tool_results_only",
    "prompts by the route compact_then_truncate",
    "results shortened before a prompt",
    "outputs cut to the limit as they enter",
  ],
} as const;

const agrees = (source: RecordingSource) => agreed(crossCheck, source);

const size = (max: number) => fc.integer({ min: 0, max });
const call = fc.tuple(size(60), size(900)).map(([args, result]) => `| c${args} r${result}`);
const run = fc
  .tuple(fc.option(size(50)), size(300), fc.array(call, { maxLength: 4 }), size(200))
  .map(([extra, user, calls, reply]) => `${extra === null ? "" : `x${extra}`} u${user} ${calls.join(" ")} | a${reply}`);
/** Sessions of some length, as people have them. */
const arbitraryRuns = fc.array(run, { minLength: 3, maxLength: 25 }).map((runs) => runs.join(" "));

describe("the two layers say the same", () => {
  it("on fixtures of every agent", { timeout: 60_000 }, async () => {
    const runs: CrossCheckRun[] = [];
    for (const source of fixtureSources()) runs.push(...(await agreedRuns(crossCheck, source)));
    expect(compactionsOf(runs)).toBeGreaterThan(1500);
    const met = metIn(runs);
    expect(met.get("notes that list failed calls")).toBeGreaterThan(5);
    expect(met.get("notes that list files")).toBeGreaterThan(5);
    expect(met.get("results trimmed to head and tail")).toBeGreaterThan(25);
  });

  it.each(OPENCLAW_PRESETS)("on drawn sessions, %s", { timeout: 60_000 }, async (preset) => {
    const all: CrossCheckRun[] = [];
    const property = fc.asyncProperty(fc.oneof(arbitraryDrawing, arbitraryRuns), async (drawing) => {
      const runs = await crossChecked(drawnRecording(drawing, openClawEstimatorOf(preset), openClawMeasures), preset);
      expect(differencesOf(runs)).toEqual([]);
      all.push(...runs);
    });
    await fc.assert(property, { numRuns: 60, seed: 7 });
    expect(compactionsOf(all)).toBeGreaterThan(500);
    const met = metIn(all);
    for (const what of MET[preset]) expect(met.get(what), what).toBeGreaterThan(10);
  });

  describe("on recordings", () => {
    if (recordings.length === 0) it.skip(WITHOUT_RECORDINGS);
    it.for(drawnSources(recordings, 3, 7, 1_000_000))("$name", { timeout: 60_000 }, async (source) => {
      expect(await agrees(source)).toBeGreaterThan(0);
    });
  });
});
