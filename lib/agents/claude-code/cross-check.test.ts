import { describeCrossCheck, fixtureGroups } from "../testing/describe-cross-check";
import { SAMPLED } from "../testing/drawn-settings";
import { drawnSources, recordingSources } from "../testing/recording-sources";
import { crossCheck } from "./testing/cross-check";

/** This checks a seeded sample; `npm run bench cross-check` runs the whole check. */
describeCrossCheck(crossCheck, [
  ...fixtureGroups(["claude-code"]),
  { name: "recordings", sources: drawnSources(recordingSources(), 3, 7, 1_000_000), draws: SAMPLED },
]);
