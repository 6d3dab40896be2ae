import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { REQUEST_CLASS } from "@/lib/core/columns/request-keys";
import type { RelatedInput } from "./related-input";
import { relate } from "./relations";

/** A request: its time and its sizes. */
interface Request {
  readonly at: number;
  readonly sizes: number;
}

/** A session of a tree of forks: the first one has no parent, another forks an earlier one, after some of its requests. */
interface Fork {
  readonly id: string;
  readonly parent: Fork | undefined;
  /** Requests that it copied. */
  readonly copied: readonly Request[];
  readonly own: readonly Request[];
}

/** Format of an agent's forks. `restamped`: copies have new times, and the file may mark them. */
type Writing = "same-times" | "restamped" | "restamped-and-marked";

function inputOf({ id, parent, copied, own }: Fork, writing: Writing, number: number): RelatedInput {
  const requests = [...copied, ...own];
  const stamp = 1_000_000 * (number + 1);
  const timeOf = (at: number, row: number) => (row < copied.length && writing !== "same-times" ? stamp + row : at);
  const marked = writing === "restamped-and-marked" ? copied.length : 0;
  const ended = timeOf(requests.at(-1)?.at ?? 0, requests.length - 1);
  return {
    id,
    placed: {},
    summary: {
      format: "f",
      sessionId: id,
      requests: requests.length,
      startedAt: new Date(stamp).toISOString(),
      endedAt: new Date(ended).toISOString(),
      links: {
        agentId: null,
        parents: parent === undefined ? [] : [{ session: parent.id, kind: "fork" }],
        subagents: [],
      },
    },
    keys: {
      exact: requests.map(({ at, sizes }, row) => timeOf(at, row) * 1000 + sizes),
      sizes: requests.map(({ sizes }) => sizes),
      classes: [REQUEST_CLASS.inherited, marked, REQUEST_CLASS.own, requests.length - marked],
    },
  };
}

/**
 * Trees of forks.
 * @param sizes maximum number of different ones; without it no two requests have the same
 */
function treesOf(sizes: number | undefined) {
  const generated = fc.record({ parent: fc.nat(), copied: fc.nat(), own: fc.nat(4) });
  return fc.array(generated, { minLength: 1, maxLength: 7 }).map((all) => {
    const forks: Fork[] = [];
    let at = 0;
    const request = () => ({ at: ++at, sizes: sizes === undefined ? at : (at * 7) % sizes });
    for (const [number, { parent: generatedParent, copied, own }] of all.entries()) {
      const parent = number === 0 ? undefined : forks[generatedParent % number];
      const history = parent === undefined ? [] : [...parent.copied, ...parent.own];
      // A fork that copied nothing and begins with a request of its parent's sizes cannot be distinguished from one that copied
      // it.
      const least = sizes === undefined ? 0 : Math.min(1, history.length);
      const copies = history.slice(0, least + (copied % (history.length + 1 - least)));
      forks.push({ id: `s${number}`, parent, copied: copies, own: Array.from({ length: own }, request) });
    }
    return forks;
  });
}

function countedOf(inputs: readonly RelatedInput[]): readonly number[] {
  const found = relate(inputs);
  return inputs.map(({ id, keys }) => keys.sizes.length - (found.get(id)?.elsewhere.length ?? 0));
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

describe("a tree of forks", () => {
  it.each<[Writing, number | undefined]>([
    ["same-times", 2],
    ["restamped", undefined],
    ["restamped-and-marked", undefined],
  ])("counts each distinct request once, in the session that made it, if copies are %s", (writing, sizes) => {
    fc.assert(
      fc.property(treesOf(sizes), fc.infiniteStream(fc.nat()), (forks, order) => {
        const inputs = forks.map((fork, number) => inputOf(fork, writing, number));
        const shuffled = [...inputs].sort(() => ((order.next().value ?? 0) % 3) - 1);
        const found = relate(shuffled);
        for (const [at, { id, own }] of forks.entries()) {
          const elsewhere = found.get(id)?.elsewhere ?? [];
          expect((inputs[at]?.keys.sizes.length ?? 0) - elsewhere.length).toBe(own.length);
        }
      }),
    );
  });
});

describe("requests of independent sessions", () => {
  it("all count, even with equal sizes", () => {
    const session = fc.array(fc.integer({ min: 1, max: 2 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(session, { minLength: 2, maxLength: 5 }), (sessions) => {
        let at = 0;
        const inputs = sessions.map((sizes, number) => {
          const own = sizes.map((one) => ({ at: ++at, sizes: one }));
          return inputOf({ id: `s${number}`, parent: undefined, copied: [], own }, "same-times", number);
        });
        expect(countedOf(inputs)).toEqual(sessions.map(({ length }) => length));
      }),
    );
  });

  it("all count if two of one session are equal in time and sizes", () => {
    const own = [1, 1, 2].map((sizes) => ({ at: 5, sizes }));
    const one = inputOf({ id: "a", parent: undefined, copied: [], own }, "same-times", 0);
    const copy = inputOf({ id: "b", parent: undefined, copied: [], own }, "same-times", 1);
    expect(countedOf([one])).toEqual([3]);
    expect(sum(countedOf([one, copy]))).toBe(3);
  });

  it("all count in a session that names a parent which has none of them", () => {
    const own = [1, 2].map((sizes) => ({ at: sizes, sizes }));
    const parent: Fork = { id: "p", parent: undefined, copied: [], own: [{ at: 9, sizes: 9 }] };
    const fork: Fork = { id: "f", parent, copied: own, own: [] };
    const inputs = [inputOf(parent, "same-times", 0), inputOf(fork, "restamped-and-marked", 1)];
    expect(countedOf(inputs)).toEqual([1, 2]);
  });
});

describe("a subagent's requests", () => {
  const shared = [1, 2].map((sizes) => ({ at: sizes, sizes }));
  const main = inputOf({ id: "m", parent: undefined, copied: [], own: shared }, "same-times", 0);

  it("count in its own file, not in the parent's file that also records them", () => {
    const classes = [REQUEST_CLASS.own, 1, REQUEST_CLASS.subagent, 1];
    const inFile = { ...main, keys: { ...main.keys, classes } };
    const [request] = shared.slice(1);
    const own = request === undefined ? [] : [request];
    const subagent = inputOf({ id: "a", parent: undefined, copied: [], own }, "same-times", 1);
    const found = relate([inFile, { ...subagent, placed: { agentId: "a", parentSession: "m" } }]);
    expect([found.get("m")?.elsewhere, found.get("a")?.elsewhere]).toEqual([[{ row: 1, by: "a" }], []]);
  });

  it("count in the parent session if they were copied from there", () => {
    const subagent = inputOf({ id: "a", parent: undefined, copied: [], own: shared }, "same-times", 1);
    const placed = { agentId: "a", parentSession: "m" };
    expect(countedOf([main, { ...subagent, placed }])).toEqual([2, 0]);
  });
});
