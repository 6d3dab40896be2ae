import fc from "fast-check";
import { OPENCLAW_PRESETS, type OpenClawPreset } from "@/lib/agents/openclaw/base/presets";
import { arbitraryDrawing } from "@/lib/core/testing/arbitrary";
import { runs } from "@/lib/core/testing/runs";
import { crossCheckOf, generatedCheckOf } from "@/verify/support/checked-agent";
import { describeCrossCheck, fixtureGroups, itAgreesOnGeneratedSessions } from "@/verify/support/describe-cross-check";
import { fixtureSources, recordingSources, sampledSources } from "@/verify/support/recording-sources";
import { SAMPLED } from "@/verify/support/varied-settings";
import { checked, crossCheck } from "./cross-check";
import { resultsWithImages, unpairedResults } from "./results-with-images";

/** This checks a seeded sample; `npm run verify cross-check` runs the whole check. */
describeCrossCheck(crossCheck, [
  ...fixtureGroups(["openclaw", "pi"], {
    whole: {
      met: { "notes that list failed calls": 2, "notes that list files": 6, "results trimmed to head and tail": 16 },
    },
    sampled: { compactions: 60 },
  }),
  // There are no recordings of OpenClaw, so recordings of other agents are used.
  { name: "recordings", sources: sampledSources(recordingSources(), 3, 7, 1_000_000), sampling: SAMPLED },
]);

/** Limits that keep next to nothing of a result, and one of the usual kind. */
const LIMITS = [0, 1, 16, 90, 1200];
const limited = crossCheckOf({
  ...checked,
  presets: ["current"],
  variants: (recording, preset) =>
    LIMITS.flatMap((toolResultChars) =>
      checked.variants(recording, preset).flatMap((variant) =>
        [true, false].map((entryTruncation) => ({
          ...variant,
          label: `${variant.label}, ${toolResultChars} chars a result, ${entryTruncation ? "as they enter" : "later"}`,
          given: { ...variant.given, toolResultChars, entryTruncation },
        })),
      ),
    ),
});
const odd = fixtureSources(["openclaw"]).filter(({ name }) => name.includes("images-and-odd-content"));
describeCrossCheck(limited, [
  {
    name: "results with images and several texts",
    sources: [...odd, resultsWithImages],
    sampling: { cases: 0, seed: 1, chosen: runs(24) },
  },
]);

describeCrossCheck(crossCheck, [
  {
    name: "unpaired calls and results",
    sources: unpairedResults,
    sampling: { cases: 1, seed: 1, chosen: runs(24) },
  },
]);

const size = (max: number) => fc.integer({ min: 0, max });
const call = fc.tuple(size(60), size(900)).map(([args, result]) => `| c${args} r${result}`);
const run = fc
  .tuple(fc.option(size(50)), size(300), fc.array(call, { maxLength: 4 }), size(200))
  .map(([extra, user, calls, reply]) => `${extra === null ? "" : `x${extra}`} u${user} ${calls.join(" ")} | a${reply}`);
/** Sessions of a realistic length. */
const arbitraryRuns = fc.array(run, { minLength: 3, maxLength: 25 }).map((runs) => runs.join(" "));

/** Cases that the generated sessions must meet for their agreement to prove anything about them. */
const MET: Readonly<Record<OpenClawPreset, Readonly<Record<string, number>>>> = {
  "as-documented": { "notes in a summary's place": 5 },
  "release-2026-02": { "notes in a summary's place": 5 },
  "release-2026-05": { "notes in a summary's place": 5 },
  current: {
    "prompts by the route fits": 5,
    "prompts by the route compact_only": 5,
    "prompts by the route truncate_tool_results_only": 5,
    "prompts by the route compact_then_truncate": 5,
    "results shortened before a prompt": 5,
    "outputs cut to the limit as they enter": 5,
  },
};

for (const preset of OPENCLAW_PRESETS) {
  const drawings = fc.oneof(arbitraryDrawing, arbitraryRuns);
  const name = `generated sessions, ${preset}`;
  const check = generatedCheckOf({ ...checked, presets: [preset] });
  const sampling = { cases: 1, seed: 1, chosen: 6 };
  itAgreesOnGeneratedSessions(check, { name, drawings, sampling, sessions: 12, compactions: 40, met: MET[preset] });
}
