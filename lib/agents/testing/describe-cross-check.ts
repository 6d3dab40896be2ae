import { describe, expect, it } from "vitest";
import { type CrossCheck, type CrossCheckRun, compactionsOf, differencesOf } from "./cross-check";
import { WITHOUT_RECORDINGS } from "./expected";
import type { RecordingSource } from "./recording-sources";

/** Checks one source, and gives the compactions that were compared. */
export async function agreed(crossCheck: CrossCheck, source: RecordingSource): Promise<number> {
  return compactionsOf(await agreedRuns(crossCheck, source));
}

/** Checks one source, and gives its runs. */
export async function agreedRuns(crossCheck: CrossCheck, source: RecordingSource): Promise<readonly CrossCheckRun[]> {
  const runs = await crossCheck(source);
  expect(differencesOf(runs)).toEqual([]);
  return runs;
}

/** A part of an agent's cross-check as tests, one a source; `npm run bench cross-check` makes the whole. */
export function describeCrossCheck(
  crossCheck: CrossCheck,
  groups: readonly (readonly [name: string, sources: readonly RecordingSource[]])[],
): void {
  describe.each(groups)("%s", (_, sources) => {
    if (sources.length === 0) it.skip(WITHOUT_RECORDINGS);
    let compactions = 0;
    it.each(sources)("$name", { timeout: 60_000 }, async (source) => {
      compactions += await agreed(crossCheck, source);
    });
    it.runIf(sources.length > 0)("compacted often enough to say something", () => {
      expect(compactions).toBeGreaterThan(sources.length);
    });
  });
}
