import { describeCrossCheck, fixtureGroups } from "@/verify/support/describe-cross-check";
import { recordingSources, sampledSources } from "@/verify/support/recording-sources";
import { SAMPLED } from "@/verify/support/varied-settings";
import { crossCheck } from "./cross-check";

/** This checks a seeded sample; `npm run verify cross-check` runs the whole check. */
describeCrossCheck(crossCheck, [
  // A compaction before a turn does not include the next prompt.
  ...fixtureGroups(["codex"], { sampled: { met: { "compacted before a turn": 7 } } }),
  { name: "recordings", sources: sampledSources(recordingSources(), 2, 3, 1_000_000), sampling: SAMPLED },
]);
