import { describeCrossCheck, fixtureGroups } from "../testing/describe-cross-check";
import { SAMPLED } from "../testing/drawn-settings";
import { drawnSources, recordingSources } from "../testing/recording-sources";
import { crossCheck } from "./testing/cross-check";

/** A seeded part of the cross-check; `npm run bench cross-check` makes the whole. */
describeCrossCheck(crossCheck, [
  ...fixtureGroups(["claude-code"]),
  { name: "recordings", sources: drawnSources(recordingSources(), 3, 7), draws: SAMPLED },
]);
