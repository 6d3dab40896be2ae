import fc from "fast-check";
import { arbitraryDrawing } from "@/lib/core/testing/arbitrary";
import { drawnCheckOf } from "../testing/checked-agent";
import { describeCrossCheck, fixtureGroups, itAgreesOnDrawnSessions } from "../testing/describe-cross-check";
import { SAMPLED } from "../testing/drawn-settings";
import { drawnSources, recordingSources } from "../testing/recording-sources";
import { OPENCLAW_PRESETS } from "./presets";
import { checked, crossCheck } from "./testing/cross-check";

/** A seeded part of the cross-check; `npm run bench cross-check` makes the whole. */
describeCrossCheck(crossCheck, [
  ...fixtureGroups(["openclaw", "pi", "api-log"], {
    whole: {
      met: { "notes that list failed calls": 6, "notes that list files": 6, "results trimmed to head and tail": 16 },
    },
    sampled: { compactions: 400 },
  }),
  // No recording of OpenClaw's own lies beside the project: some of the others'.
  { name: "recordings", sources: drawnSources(recordingSources(), 3, 7, 1_000_000), draws: SAMPLED },
]);

const size = (max: number) => fc.integer({ min: 0, max });
const call = fc.tuple(size(60), size(900)).map(([args, result]) => `| c${args} r${result}`);
const run = fc
  .tuple(fc.option(size(50)), size(300), fc.array(call, { maxLength: 4 }), size(200))
  .map(([extra, user, calls, reply]) => `${extra === null ? "" : `x${extra}`} u${user} ${calls.join(" ")} | a${reply}`);
/** Sessions of some length, as people have them. */
const arbitraryRuns = fc.array(run, { minLength: 3, maxLength: 25 }).map((runs) => runs.join(" "));

/** What drawn sessions have to meet for their agreement to say anything of it. */
const MET = {
  "as-documented": { "notes in a summary's place": 11 },
  current: {
    "prompts by the route fits": 11,
    "prompts by the route compact_only": 11,
    "prompts by the route truncate_tool_results_only": 11,
    "prompts by the route compact_then_truncate": 11,
    "results shortened before a prompt": 11,
    "outputs cut to the limit as they enter": 11,
  },
};

for (const preset of OPENCLAW_PRESETS) {
  const drawings = fc.oneof(arbitraryDrawing, arbitraryRuns);
  const name = `drawn sessions, ${preset}`;
  const check = drawnCheckOf({ ...checked, presets: [preset] });
  const draws = { draws: 1, seed: 1, chosen: 6 };
  itAgreesOnDrawnSessions(check, { name, drawings, draws, sessions: 60, compactions: 250, met: MET[preset] });
}
