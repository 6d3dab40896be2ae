import { describeCrossCheck, fixtureGroups } from "../testing/describe-cross-check";
import { SAMPLED } from "../testing/drawn-settings";
import { drawnSources, recordingSources } from "../testing/recording-sources";
import { crossCheck } from "./testing/cross-check";

/** This checks a seeded sample; `npm run bench cross-check` runs the whole check. */
describeCrossCheck(crossCheck, [
  // A compaction before a turn does not see what is typed next.
  ...fixtureGroups(["codex"], { sampled: { met: { "compacted before a turn": 7 } } }),
  { name: "recordings", sources: drawnSources(recordingSources(), 2, 3, 1_000_000), draws: SAMPLED },
]);
