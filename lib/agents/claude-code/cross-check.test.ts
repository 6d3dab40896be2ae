import { describeCrossCheck } from "../testing/describe-cross-check";
import { drawnSources, fixtureSources, recordingSources } from "../testing/recording-sources";
import { crossCheck } from "./testing/cross-check";

/** A seeded part of the cross-check; `npm run bench cross-check` makes the whole. */
describeCrossCheck(crossCheck, [
  ["fixtures of every agent", fixtureSources()],
  ["recordings", drawnSources(recordingSources(), 3, 7)],
]);
