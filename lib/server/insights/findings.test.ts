import { describe, expect, it } from "vitest";
import type { IndexedEvidence } from "../read/numbers/evidence";
import { type FindingSource, findingsOf } from "./findings";

type Made = Partial<Omit<FindingSource, "evidence" | "idle">> & {
  readonly evidence?: Partial<IndexedEvidence> | undefined;
  readonly idle?: readonly [count: number, tokens: number, usd: number];
};

const NONE: IndexedEvidence = {
  kept: [],
  files: [],
  commands: [],
  tools: [],
  compactions: { known: 0, unpaid: 0, unpaidUsd: 0 },
};

function sessions(...made: readonly Made[]): FindingSource[] {
  return made.map(({ idle, evidence, ...rest }, at) => ({
    id: `s${at}`,
    agent: null,
    fill: Number.NaN,
    cacheRead: Number.NaN,
    idle: idle && { cause: 4, count: idle[0], tokens: idle[1], usd: idle[2] },
    evidence: evidence && { ...NONE, ...evidence },
    ...rest,
  }));
}

/** The finding of a kind. */
function found(id: string, all: readonly FindingSource[]) {
  return findingsOf(all).find((one) => one.id === id);
}

it("no finding is reported without evidence", () => {
  expect(findingsOf([])).toEqual([]);
  expect(findingsOf(sessions({ cacheRead: 100, fill: 0.2, evidence: {} }))).toEqual([]);
});

describe("idle gaps", () => {
  const three = [
    { cacheRead: 10, idle: [2, 1000, 1.5] },
    { cacheRead: 10, idle: [1, 500, 0.25] },
    { cacheRead: 10, idle: [2, 2000, 3] },
    { cacheRead: 10 },
    // Without recorded cache reads nothing says whether a gap lost the cache.
    {},
  ] as const satisfies readonly Made[];

  it("are summed over sessions with recorded cache reads; the most expensive sessions come first", () => {
    expect(found("idle-misses", sessions(...three))).toMatchObject({
      ...{ amount: 4.75, unit: "usd", isLeast: false, tokens: 3500, count: 5, affected: 3, sessions: 4 },
      ...{ confidence: "high", because: "recorded", next: { kind: "tab", tab: "cost" } },
      largest: [
        { id: "s2", amount: 3 },
        { id: "s0", amount: 1.5 },
        { id: "s1", amount: 0.25 },
      ],
    });
  });

  it("are a lower bound if some have no price, and have no amount if none has a price", () => {
    const unpriced = { cacheRead: 10, idle: [1, 100, Number.NaN] } as const;
    expect(found("idle-misses", sessions(...three, unpriced))).toMatchObject({
      ...{ amount: 4.75, isLeast: true, confidence: "moderate", because: "unpriced" },
    });
    expect(found("idle-misses", sessions(unpriced))).toMatchObject({ amount: null, isLeast: false, tokens: 100 });
  });

  it("have low confidence in a small sample", () => {
    expect(found("idle-misses", sessions(three[0], three[1]))).toMatchObject({ confidence: "low", because: "few" });
  });
});

it("a session is near the limit from 85 % of a known window on", () => {
  const near = found("near-limit", sessions({ fill: 0.85 }, { fill: 0.849 }, { fill: 1.02 }, { fill: 0.1 }));
  expect(near).toMatchObject({
    ...{ amount: 2, unit: "sessions", count: 2, outOf: 4, confidence: "high", because: "recorded" },
    largest: [
      { id: "s2", amount: 1.02 },
      { id: "s0", amount: 0.85 },
    ],
    next: { kind: "list", where: "fill>=0.85" },
  });
  const unknown = found("near-limit", sessions({ fill: 0.9 }, { fill: 0.1 }, { fill: 0.1 }, {}));
  expect(unknown).toMatchObject({ amount: 1, outOf: 3, confidence: "moderate", because: "unknown-window" });
});

describe("repeatedly fetched files", () => {
  const file = (name: string, fetches: number, usd: number | null) => ({ name, fetches, sent: 1000, usd });

  it("are summed by path over sessions, from three fetches on", () => {
    const all = sessions(
      { evidence: { files: [file("/a.ts", 4, 0.5), file("/b.ts", 2, 9)] } },
      { evidence: { files: [file("/a.ts", 1, 0.25), file("/c.ts", 3, 1)] } },
      { evidence: {} },
      // Its contents would count twice.
      { evidence: undefined },
    );
    expect(found("fetched-files", all)).toMatchObject({
      ...{ amount: 1.75, isLeast: false, tokens: 3000, count: 8, affected: 2, sessions: 3 },
      ...{ confidence: "moderate", because: "estimated" },
      names: [
        { name: "/c.ts", count: 3, tokens: 1000, usd: 1 },
        { name: "/a.ts", count: 5, tokens: 2000, usd: 0.75 },
      ],
      largest: [
        { id: "s1", amount: 1.25 },
        { id: "s0", amount: 0.5 },
      ],
    });
  });

  it("have no amount without a price, and low confidence below five fetches", () => {
    const [one] = findingsOf(sessions({ evidence: { files: [file("/a.ts", 4, null)] } }));
    expect(one).toMatchObject({ id: "fetched-files", amount: null, tokens: 1000, confidence: "low", because: "few" });
  });
});

it("repeatedly fetched commands are summed by name", () => {
  const command = (fetches: number, usd: number) => ({ name: "git diff", fetches, sent: 100, usd });
  const all = sessions({ evidence: { commands: [command(4, 0.5)] } }, { evidence: { commands: [command(2, 0.25)] } });
  expect(findingsOf(all)).toMatchObject([
    { id: "fetched-commands", amount: 0.75, count: 6, affected: 2, names: [{ name: "git diff", count: 6 }] },
  ]);
});

it("a tool is unused if no session that declares it calls it", () => {
  const tool = (name: string, isCalled: boolean, usd: number) => ({ name, isCalled, sent: 100, usd });
  const all = sessions(
    { evidence: { tools: [tool("read", true, 1), tool("lint", false, 0.5), tool("web", false, 0.25)] } },
    { evidence: { tools: [tool("read", false, 1), tool("lint", false, 0.75), tool("web", true, 0.25)] } },
    { evidence: { tools: [tool("lint", false, 0.5)] } },
    { evidence: {} },
  );
  expect(found("unused-tools", all)).toMatchObject({
    ...{ amount: 1.75, tokens: 300, count: 1, outOf: 3, affected: 3, sessions: 3, confidence: "moderate" },
    names: [{ name: "lint", count: 3, tokens: 300, usd: 1.75 }],
  });
});

it("instruction files are summed by name, and images in total", () => {
  const kept = (kind: "instructions" | "images", name: string, usd: number) => ({ kind, name, sent: 1000, usd });
  const all = sessions(
    { evidence: { kept: [kept("instructions", "CLAUDE.md", 0.5), kept("images", "", 0.25)] } },
    { evidence: { kept: [kept("instructions", "CLAUDE.md", 0.25), kept("instructions", "AGENTS.md", 1)] } },
    { evidence: {} },
  );
  expect(found("instructions", all)).toMatchObject({
    ...{ amount: 1.75, tokens: 3000, count: 3, affected: 2, sessions: 3, confidence: "low", because: "few" },
    names: [
      { name: "AGENTS.md", usd: 1 },
      { name: "CLAUDE.md", count: 2, usd: 0.75 },
    ],
  });
  expect(found("images", all)).toMatchObject({ amount: 0.25, count: 1, affected: 1, names: [] });
});

it("files read again and unused outputs are summed by name; unused outputs have low confidence", () => {
  const kept = (kind: "read-again" | "unused-outputs", name: string, usd: number) => ({ kind, name, sent: 100, usd });
  const all = sessions(
    ...[1, 2, 3].map((usd) => ({
      evidence: { kept: [kept("read-again", "/a.ts", usd), kept("unused-outputs", "npm test", usd)] },
    })),
  );
  const sums = { amount: 6, tokens: 300, count: 3, affected: 3, sessions: 3 };
  expect(found("read-again", all)).toMatchObject({
    ...{ ...sums, confidence: "moderate", names: [{ name: "/a.ts", count: 3, usd: 6 }] },
    next: { kind: "tab", tab: "contributors" },
  });
  expect(found("unused-outputs", all)).toMatchObject({
    ...{ ...sums, confidence: "low", because: "terms", names: [{ name: "npm test", count: 3, usd: 6 }] },
    next: { kind: "tab", tab: "cost" },
  });
});

it("unpaid compactions are counted among those with a known break-even", () => {
  const compacted = (known: number, unpaid: number, unpaidUsd: number): Made => ({
    evidence: { compactions: { known, unpaid, unpaidUsd } },
  });
  const all = sessions(compacted(3, 1, 0.5), compacted(2, 2, 1), compacted(1, 0, 0), compacted(0, 0, 0));
  expect(found("unpaid-compactions", all)).toMatchObject({
    ...{ amount: 1.5, count: 3, outOf: 6, affected: 2, sessions: 3, confidence: "moderate", because: "estimated" },
  });
  expect(found("unpaid-compactions", sessions(compacted(1, 0, 0)))).toBeUndefined();
});

it("the threshold finding counts large sessions of the most frequent agent, and claims no saving", () => {
  const large = { agent: "codex", fill: 0.3 };
  const small = { agent: "codex", fill: 0.29 };
  const few = sessions(large, small, { agent: "pi", fill: 0.9 });
  expect(found("threshold", few)).toMatchObject({
    ...{ amount: null, count: 1, outOf: 2, confidence: "none", because: "few-large" },
    next: { kind: "advice", policy: "codex" },
  });
  const enough = sessions(...Array.from({ length: 8 }, () => large), small);
  expect(found("threshold", enough)).toMatchObject({ count: 8, outOf: 9, because: "untested" });
});

it("the most expensive finding comes first, and findings without an amount of money come last", () => {
  const all = sessions(
    { agent: "pi", fill: 0.9, cacheRead: 1, idle: [1, 10, 0.5] },
    { evidence: { compactions: { known: 1, unpaid: 1, unpaidUsd: 2 } } },
  );
  expect(findingsOf(all).map(({ id }) => id)).toEqual(["unpaid-compactions", "idle-misses", "near-limit", "threshold"]);
});
