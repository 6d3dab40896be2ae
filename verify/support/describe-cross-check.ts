import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FormatId } from "@/lib/agents/agents";
import { READERS } from "@/lib/agents/registry";
import { runs } from "@/lib/core/testing/runs";
import { type CrossCheck, type CrossCheckRun, compactionsOf, differencesOf, metIn } from "./cross-check";
import { WITHOUT_RECORDINGS } from "./expected";
import { fixtureSources, type RecordingSource } from "./recording-sources";
import { SAMPLED, type Sampling } from "./varied-settings";

/** Minimum evidence of a check: compactions of both layers, and cases that were met. */
interface Least {
  readonly compactions: number;
  readonly met?: Readonly<Record<string, number>>;
}

/** Sources that are checked together. */
interface SourceGroup extends Partial<Least> {
  readonly name: string;
  readonly sources: readonly RecordingSource[];
  /** Number of choices run over each source; if absent, all of the agent's own choices and a few varied ones. */
  readonly sampling?: Sampling;
}

/** Every third of the other agents' fixtures is run. */
const TURNS = 3;

/**
 * Two groups: the fixtures of some formats, run with all of the agent's choices, and a third of all other fixtures, each run with a sample of them.
 * Each agent runs another third, so every fixture is run for several agents.
 * @param whole requirements for the first group
 * @param sampled requirements for the second group
 */
export function fixtureGroups(
  formats: readonly FormatId[],
  { whole, sampled }: { readonly whole?: Partial<Least>; readonly sampled?: Partial<Least> } = {},
): readonly SourceGroup[] {
  const turn = READERS.findIndex(({ format }) => format === formats[0]);
  const others = fixtureSources()
    .filter(({ format }) => !formats.some((one) => one === format))
    .filter((_, at) => (at + turn) % TURNS === 0);
  return [
    { name: `fixtures of ${formats.join(", ")}`, sources: fixtureSources(formats), ...whole },
    { name: "other fixtures", sources: others, sampling: SAMPLED, ...sampled },
  ];
}

/** Describes a part of an agent's cross-check as tests, one for each source; `npm run verify cross-check` runs the whole. */
export function describeCrossCheck(crossCheck: CrossCheck, groups: readonly SourceGroup[]): void {
  describe.each(groups)("$name", ({ sources, sampling, compactions = sources.length + 1, met }) => {
    if (sources.length === 0) it.skip(WITHOUT_RECORDINGS);
    const all: CrossCheckRun[] = [];
    it.each(sources)("both layers agree on $name", async (source) => {
      const runs = await crossCheck(source, sampling);
      expect(differencesOf(runs)).toEqual([]);
      all.push(...runs);
    });
    it.runIf(sources.length > 0)("the runs cover the required compactions and cases", () =>
      expectLeast(all, { compactions, ...(met === undefined ? {} : { met }) }),
    );
  });
}

/** Sessions that are generated from text. */
interface GeneratedSessions extends Least {
  readonly name?: string;
  readonly drawings: fc.Arbitrary<string>;
  /** Number of generated sessions; the required evidence is for this number. */
  readonly sessions: number;
  readonly sampling?: Sampling;
}

/** Runs an agent's cross-check over sessions that are generated from text, as one test. */
export function itAgreesOnGeneratedSessions(
  check: (drawing: string, sampling?: Sampling) => Promise<readonly CrossCheckRun[]>,
  { name = "generated sessions", drawings, sessions, sampling, ...least }: GeneratedSessions,
): void {
  it(`both layers agree on ${name}`, async () => {
    const all: CrossCheckRun[] = [];
    const property = fc.asyncProperty(drawings, async (drawing) => {
      const runs = await check(drawing, sampling);
      expect(differencesOf(runs)).toEqual([]);
      all.push(...runs);
    });
    await fc.assert(property, { numRuns: runs(sessions), seed: 7 });
    expectLeast(all, least);
  });
}

/** Expects at least the required compactions and named cases. */
function expectLeast(runs: readonly CrossCheckRun[], { compactions, met = {} }: Least): void {
  expect(compactionsOf(runs)).toBeGreaterThanOrEqual(compactions);
  const all = metIn(runs);
  for (const [what, least] of Object.entries(met)) expect(all.get(what) ?? 0, what).toBeGreaterThanOrEqual(least);
}
