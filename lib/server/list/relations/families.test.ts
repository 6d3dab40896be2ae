import fc from "fast-check";
import { expect, it } from "vitest";
import { Families } from "./families";
import type { RelatedInput } from "./related-input";
import { relate } from "./relations";

const KEYS = fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 5 });

/** Sessions that share requests and names by chance. */
const sessions = fc.array(
  fc.record({
    keys: KEYS,
    name: fc.integer({ min: 0, max: 12 }),
    parent: fc.option(fc.integer({ min: 0, max: 12 })),
    started: fc.option(fc.integer({ min: 0, max: 12 }), { freq: 1 }),
    placedIn: fc.option(fc.integer({ min: 0, max: 12 }), { freq: 1 }),
    agent: fc.option(fc.integer({ min: 0, max: 12 }), { freq: 1 }),
  }),
  {
    maxLength: 12,
  },
);
type Generated = typeof sessions extends fc.Arbitrary<(infer One)[]> ? One : never;

it("relating a session to its family gives the same as relating it to all, in any order of reading", () => {
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

it("sessions with the same name are separate families unless another session refers to that name", () => {
  const families = new Families();
  const nobody = { parent: null, started: null, placedIn: null, agent: null };
  for (let at = 0; at < 50; at++) families.add(inputOf(at, { keys: [100 + at], name: 1, ...nobody }), true);
  families.relateChanged();
  families.add(inputOf(50, { keys: [150], name: 1, ...nobody }), true);
  expect([...families.relateChanged().keys()]).toEqual(["s50"]);
  families.add(inputOf(51, { keys: [151], name: 2, ...nobody, parent: 1 }), true);
  expect(families.relateChanged().size).toBe(52);
});

function inputOf(at: number, { keys, name, parent, started, placedIn, agent }: Generated): RelatedInput {
  const parents = parent === null ? [] : [{ session: `n${parent}`, kind: "fork" as const }];
  const subagents = started === null ? [] : [{ agentId: `n${started}`, callId: null, item: null }];
  const links = { agentId: agent === null ? null : `n${agent}`, parents, subagents };
  const exact = Float64Array.from(keys);
  return {
    id: `s${at}`,
    summary: { format: "codex", sessionId: `n${name}`, requests: keys.length, startedAt: null, endedAt: null, links },
    placed: placedIn === null ? {} : { parentSession: `n${placedIn}` },
    keys: { exact, sizes: exact, classes: [0, exact.length] },
  };
}

/** Sorts by id: the order of the results does not matter. */
function sorted(all: ReadonlyMap<string, unknown>): unknown {
  return Object.fromEntries([...all].sort(([a], [b]) => (a < b ? -1 : 1)));
}
