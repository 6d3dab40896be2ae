import { describe, expect, it } from "vitest";
import { compactionsOf, differencesOf, drawnSources, fixtureSources, recordingSources } from "../testing/cross-check";
import { WITHOUT_RECORDINGS } from "../testing/expected";
import { crossCheck } from "./testing/cross-check";

/** A seeded part of the cross-check; `npm run bench cross-check` makes the whole. */
describe.each([
  ["fixtures of every agent", fixtureSources()],
  ["recordings", drawnSources(recordingSources(), 3, 7)],
])("%s", (_, sources) => {
  if (sources.length === 0) it.skip(WITHOUT_RECORDINGS);
  let compactions = 0;
  it.each(sources)("$name", async (source) => {
    const runs = await crossCheck(source);
    expect(differencesOf(runs)).toEqual([]);
    compactions += compactionsOf(runs);
  });
  it.runIf(sources.length > 0)("compacted often enough to say something", () => {
    expect(compactions).toBeGreaterThan(sources.length);
  });
});
