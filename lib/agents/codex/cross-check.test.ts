import { describeCrossCheck, fixtureGroups } from "../testing/describe-cross-check";
import { SAMPLED } from "../testing/drawn-settings";
import { drawnSources, recordingSources } from "../testing/recording-sources";
import { crossCheck } from "./testing/cross-check";

/** A seeded part of the cross-check; `npm run bench cross-check` makes the whole. */
describeCrossCheck(crossCheck, [
  // Compactions before a turn leave out what is typed next.
  ...fixtureGroups(["codex"], { sampled: { met: { "compacted before a turn": 20 } } }),
  { name: "recordings", sources: drawnSources(recordingSources(), 2, 3), draws: SAMPLED },
]);
