import fc from "fast-check";
import { expect, it } from "vitest";
import { Families } from "./families";
import { type RelatedInput, relate } from "./relations";

const KEYS = fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 5 });

/** Sessions that share requests and names by chance. */
const sessions = fc.array(
  fc.record({ keys: KEYS, name: fc.integer({ min: 0, max: 12 }), parent: fc.option(fc.integer({ min: 0, max: 12 })) }),
  {
    maxLength: 12,
  },
);

it("comparing a session with its family alone finds what comparing it with all finds, in any order of reading", () => {
  fc.assert(
    fc.property(sessions, sessions, (first, later) => {
      const families = new Families();
      const known = new Map<string, unknown>();
      const now = new Map<string, RelatedInput>();
      const add = (input: RelatedInput) => {
        now.set(input.id, input);
        families.add(input, true);
        for (const [id, related] of families.relateChanged()) known.set(id, related);
      };
      for (const [at, made] of first.entries()) add(inputOf(at, made));
      // Some of them have changed.
      for (const [at, made] of later.entries()) add(inputOf(at * 2, made));
      expect(sorted(known)).toEqual(sorted(relate([...now.values()])));
    }),
  );
});

function inputOf(
  at: number,
  { keys, name, parent }: { keys: number[]; name: number; parent: number | null },
): RelatedInput {
  const parents = parent === null ? [] : [{ session: `n${parent}`, kind: "fork" as const }];
  const links = { agentId: null, parents, subagents: [] };
  const exact = Float64Array.from(keys);
  return {
    id: `s${at}`,
    summary: { format: "codex", sessionId: `n${name}`, requests: keys.length, startedAt: null, endedAt: null, links },
    placed: {},
    keys: { exact, sizes: exact },
  };
}

/** The order in which a session's relations were found says nothing. */
function sorted(all: ReadonlyMap<string, unknown>): unknown {
  return Object.fromEntries([...all].sort(([a], [b]) => (a < b ? -1 : 1)));
}
