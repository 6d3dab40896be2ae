import { describeCrossCheck, fixtureGroups } from "@/verify/support/describe-cross-check";
import { recordingSources, sampledSources } from "@/verify/support/recording-sources";
import { SAMPLED } from "@/verify/support/varied-settings";
import { crossCheck } from "./cross-check";

/** This checks a seeded sample; `npm run verify cross-check` runs the whole check. */
describeCrossCheck(crossCheck, [
  ...fixtureGroups(["claude-code"]),
  { name: "recordings", sources: sampledSources(recordingSources(), 3, 7, 1_000_000), sampling: SAMPLED },
]);
