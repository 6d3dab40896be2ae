import type { FINDINGS, Finding } from "@/lib/queries/contract/schemas";
import type { KnownMiss } from "../list/index/index-columns";
import type { IndexedEvidence } from "../read/numbers/evidence";

/** Facts of a session in the index that findings are made of. Unknown numbers are `NaN`. */
export interface FindingSource {
  readonly id: string;
  readonly agent: string | null;
  /** The largest context as a share of the window. */
  readonly fill: number;
  /** Tokens read from a cache. */
  readonly cacheRead: number;
  /** Cache misses after pauses longer than the cache TTL; absent without one. */
  readonly idle: KnownMiss | undefined;
  /** Absent if other sessions count some of its requests: its contents would count twice. */
  readonly evidence: IndexedEvidence | undefined;
}

/** A finding before its sessions have titles. */
export type UntitledFinding = Omit<Finding, "largest"> & {
  readonly largest: readonly Omit<Finding["largest"][number], "title">[];
};
type KeptKind = IndexedEvidence["kept"][number]["kind"];
type Confidence = Pick<Finding, "confidence" | "because">;

/** A session that fills at least this share of its window is near its limit. */
const NEAR_LIMIT = 0.85;
/** Fewer fetches of a file, or of a command's output, are not a habit. */
const OFTEN = 3;
/** Sizes of samples below which confidence is low: sessions, and events such as pauses. */
const FEW = { sessions: 3, events: 5 } as const;
/** Sessions that a recommendation needs, and the smallest share of the window at which a threshold would be tried. Source: docs/method.md, "The recommendation". */
const ADVICE = { sessions: 8, fill: 0.3 } as const;
const MAX_NAMED = { sessions: 3, names: 5 } as const;

/**
 * Findings over sessions that were read: those with a cost first, the most expensive one before the others. A finding without evidence is absent.
 * Source: docs/method.md, "Findings over sessions".
 */
export function findingsOf(sessions: readonly FindingSource[]): UntitledFinding[] {
  const found = [
    idleMisses(sessions),
    fetched("fetched-files", sessions),
    fetched("fetched-commands", sessions),
    unusedTools(sessions),
    unpaidCompactions(sessions),
    kept("read-again", sessions),
    kept("unused-outputs", sessions),
    kept("instructions", sessions),
    kept("images", sessions),
    nearLimit(sessions),
    threshold(sessions),
  ].filter((one) => one !== undefined);
  const cost = ({ unit, amount }: UntitledFinding) => (unit === "usd" ? (amount ?? 0) : -1);
  return found.sort((a, b) => cost(b) - cost(a));
}

/** A part of a finding that one session has. */
interface Part {
  readonly id: string;
  readonly amount: number | null;
}

/** The parts of a finding that are counted from the sessions. */
interface Counted {
  readonly parts: readonly Part[];
  /** Number of sessions that could show it. */
  readonly sessions: number;
  readonly count: number;
  readonly outOf?: number;
  readonly tokens?: number;
  readonly names?: Finding["names"];
  readonly next: Partial<Finding["next"]> & Pick<Finding["next"], "kind">;
}

/** A finding whose number is the sum of its parts in dollars. */
function costly(id: (typeof FINDINGS)[number], counted: Counted, confidence: Confidence): UntitledFinding {
  const known = counted.parts.flatMap(({ amount }) => amount ?? []);
  const isPriced = known.length === counted.parts.length;
  return {
    ...finding(id, counted, isPriced || confidence.confidence === "low" ? confidence : UNPRICED),
    amount: known.length === 0 ? null : dollars(sumOf(known)),
    isLeast: known.length > 0 && !isPriced,
    unit: "usd",
  };
}

function finding(id: (typeof FINDINGS)[number], counted: Counted, confidence: Confidence): UntitledFinding {
  const { parts, sessions, count, outOf = null, tokens = null, names = [], next } = counted;
  return {
    id,
    ...{ amount: null, unit: "sessions", isLeast: false, tokens, count, outOf },
    ...confidence,
    ...{ affected: parts.length, sessions },
    largest: parts.toSorted((a, b) => (b.amount ?? -1) - (a.amount ?? -1)).slice(0, MAX_NAMED.sessions),
    names: names.slice(0, MAX_NAMED.names),
    next: { tab: null, where: null, policy: null, ...next },
  };
}

const RECORDED: Confidence = { confidence: "high", because: "recorded" };
const ESTIMATED: Confidence = { confidence: "moderate", because: "estimated" };
const UNPRICED: Confidence = { confidence: "moderate", because: "unpriced" };
const TERMS: Confidence = { confidence: "low", because: "terms" };
const FEW_SEEN: Confidence = { confidence: "low", because: "few" };

/** @param otherwise the confidence in a sample that is large enough */
function seenIn(sessions: number, events: number, otherwise: Confidence): Confidence {
  return sessions < FEW.sessions || events < FEW.events ? FEW_SEEN : otherwise;
}

function idleMisses(all: readonly FindingSource[]): UntitledFinding | undefined {
  const cached = all.filter(({ cacheRead }) => !Number.isNaN(cacheRead));
  const idle = cached.flatMap(({ id, idle }) => (idle === undefined ? [] : [{ id, ...idle }]));
  if (idle.length === 0) return undefined;
  const count = sumOf(idle.map((one) => one.count));
  return costly(
    "idle-misses",
    {
      parts: idle.map(({ id, usd }) => ({ id, amount: orNull(usd) })),
      sessions: cached.length,
      count,
      tokens: sumOf(idle.map(({ tokens }) => tokens)),
      next: { kind: "tab", tab: "cost" },
    },
    seenIn(idle.length, count, RECORDED),
  );
}

function nearLimit(all: readonly FindingSource[]): UntitledFinding | undefined {
  const known = all.filter(({ fill }) => !Number.isNaN(fill));
  const near = known.filter(({ fill }) => fill >= NEAR_LIMIT);
  if (near.length === 0) return undefined;
  const isKnown = known.length === all.length;
  const confidence: Confidence = isKnown ? RECORDED : { confidence: "moderate", because: "unknown-window" };
  return {
    ...finding(
      "near-limit",
      {
        parts: near.map(({ id, fill }) => ({ id, amount: fill })),
        ...{ sessions: known.length, count: near.length, outOf: known.length },
        next: { kind: "list", where: `fill>=${NEAR_LIMIT}` },
      },
      known.length < FEW.sessions ? FEW_SEEN : confidence,
    ),
    amount: near.length,
  };
}

/** A file or tool in one session. */
interface Content {
  readonly id: string;
  readonly name: string;
  readonly count: number;
  readonly sent: number;
  readonly usd: number | null;
}

const FETCHED = { "fetched-files": "files", "fetched-commands": "commands" } as const;

function fetched(kind: keyof typeof FETCHED, all: readonly FindingSource[]): UntitledFinding | undefined {
  const contents = all.flatMap(({ id, evidence }) =>
    (evidence?.[FETCHED[kind]] ?? []).map(({ fetches, ...one }) => ({ id, count: fetches, ...one })),
  );
  const often = byName(contents).filter(({ count }) => count >= OFTEN);
  if (often.length === 0) return undefined;
  const top = often.slice(0, MAX_NAMED.names);
  const count = sumOf(top.map((one) => one.count));
  // Fetches are a habit even if all are in one session, so the confidence depends on fetches, not on sessions.
  const confidence = count < FEW.events ? FEW_SEEN : ESTIMATED;
  const sessions = all.filter(({ evidence }) => evidence !== undefined).length;
  return costly(kind, { ...contentsOf(top, contents), sessions, count, next: CONTRIBUTORS }, confidence);
}

function unusedTools(all: readonly FindingSource[]): UntitledFinding | undefined {
  const declared = all.flatMap(({ id, evidence }) =>
    (evidence?.tools ?? []).map((tool) => ({ id, count: 1, ...tool })),
  );
  const called = new Set(declared.flatMap(({ name, isCalled }) => (isCalled ? [name] : [])));
  const unused = byName(declared.filter(({ name }) => !called.has(name)));
  if (unused.length === 0) return undefined;
  const declaring = new Set(declared.map(({ id }) => id)).size;
  const tools = contentsOf(unused, declared);
  return costly(
    "unused-tools",
    {
      ...tools,
      ...{ sessions: declaring, count: unused.length, outOf: unused.length + called.size },
      next: CONTRIBUTORS,
    },
    declaring < FEW.sessions ? FEW_SEEN : ESTIMATED,
  );
}

/** Files and commands by name, and images together, as the waste of each session counts them. */
function kept(kind: KeptKind, all: readonly FindingSource[]): UntitledFinding | undefined {
  const contents = all.flatMap(({ id, evidence }) =>
    (evidence?.kept ?? []).flatMap(({ kind: own, ...one }) => (own === kind ? [{ id, count: 1, ...one }] : [])),
  );
  if (contents.length === 0) return undefined;
  const { names, ...others } = contentsOf(byName(contents), contents);
  const sessions = all.filter(({ evidence }) => evidence !== undefined).length;
  return costly(
    kind,
    {
      ...others,
      names: names.filter(({ name }) => name !== ""),
      ...{ sessions, count: contents.length, next: kind === "unused-outputs" ? WASTE : CONTRIBUTORS },
    },
    kind === "unused-outputs" ? TERMS : others.parts.length < FEW.sessions ? FEW_SEEN : ESTIMATED,
  );
}

/** The list of waste on the tab. */
const WASTE: Counted["next"] = { kind: "tab", tab: "cost" };

const CONTRIBUTORS: Counted["next"] = { kind: "tab", tab: "contributors" };

/** The sessions' parts of some contents, and the sums. */
function contentsOf(named: Finding["names"], contents: readonly Content[]) {
  const names = new Set(named.map(({ name }) => name));
  const own = contents.filter(({ name }) => names.has(name));
  const parts = Array.from(
    grouped(own, ({ id }) => id),
    ([id, some]) => ({
      id,
      amount: sumOrNull(some.map(({ usd }) => usd)),
    }),
  );
  return { parts, names: named, tokens: sumOf(own.map(({ sent }) => sent)) };
}

/** Sums by name, the most expensive first; of those without a price the largest. */
function byName(contents: readonly Content[]): Finding["names"] {
  const sums = Array.from(
    grouped(contents, ({ name }) => name),
    ([name, some]) => {
      const known = some.flatMap(({ usd }) => usd ?? []);
      return {
        name,
        count: sumOf(some.map(({ count }) => count)),
        tokens: sumOf(some.map(({ sent }) => sent)),
        usd: known.length === 0 ? null : dollars(sumOf(known)),
      };
    },
  );
  return sums.sort((a, b) => (b.usd ?? -1) - (a.usd ?? -1) || b.tokens - a.tokens);
}

function unpaidCompactions(all: readonly FindingSource[]): UntitledFinding | undefined {
  const compacted = all.flatMap(({ id, evidence }) =>
    evidence !== undefined && evidence.compactions.known > 0 ? [{ id, ...evidence.compactions }] : [],
  );
  const unpaid = compacted.filter((one) => one.unpaid > 0);
  if (unpaid.length === 0) return undefined;
  const known = sumOf(compacted.map((one) => one.known));
  return costly(
    "unpaid-compactions",
    {
      parts: unpaid.map(({ id, unpaidUsd }) => ({ id, amount: unpaidUsd })),
      ...{ sessions: compacted.length, count: sumOf(unpaid.map((one) => one.unpaid)), outOf: known },
      next: { kind: "tab", tab: "boundaries" },
    },
    seenIn(compacted.length, known, ESTIMATED),
  );
}

/** The number of sessions with a large context, of the agent with the most sessions. A threshold is suggested only after replays over enough of them. */
function threshold(all: readonly FindingSource[]): UntitledFinding | undefined {
  const byAgent = [...grouped(all, ({ agent }) => agent)].sort(([, a], [, b]) => b.length - a.length);
  const [policy, own] = byAgent.find(([agent]) => agent !== null) ?? [];
  if (policy == null || own === undefined) return undefined;
  const large = own.filter(({ fill }) => fill >= ADVICE.fill);
  const because = large.length < ADVICE.sessions ? "few-large" : "untested";
  return finding(
    "threshold",
    {
      parts: large.map(({ id, fill }) => ({ id, amount: fill })),
      ...{ sessions: own.length, count: large.length, outOf: own.length },
      next: { kind: "advice", policy },
    },
    { confidence: "none", because },
  );
}

function grouped<One, Key>(all: readonly One[], keyOf: (one: One) => Key): ReadonlyMap<Key, readonly One[]> {
  const groups = new Map<Key, One[]>();
  for (const one of all) {
    const group = groups.get(keyOf(one));
    if (group === undefined) groups.set(keyOf(one), [one]);
    else group.push(one);
  }
  return groups;
}

function orNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}

function sumOrNull(values: readonly (number | null)[]): number | null {
  return values.includes(null) ? null : dollars(sumOf(values.flatMap((value) => value ?? [])));
}

/** Rounds to whole micro-dollars, since sums of fractions have floating-point noise. */
function dollars(amount: number): number {
  return Math.round(amount * 1e6) / 1e6;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
