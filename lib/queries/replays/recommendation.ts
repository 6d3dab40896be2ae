import { type AdvisedSession, advisedColumns } from "@/lib/core/advice/advised";
import { ADVISER, type Adviser } from "@/lib/core/advice/adviser";
import type { Advice, AdvisedBy, Missing, Saving } from "@/lib/core/advice/recommend";
import type { SweepSet } from "@/lib/core/analysis/grid";
import type { Cost } from "@/lib/queries/contract/types";
import type { Assumption, ReplayMetrics, Replays, ReplaysUnder, TermsAssumption } from "./session-replays";

/** A swept session, under every assumption. */
export interface SweptSession {
  readonly file: string;
  readonly project: string;
  readonly replays: ReplaysUnder;
  readonly whatIf?: WhatIf | undefined;
}

/** The session's cost with compactions before its pauses, and with either cache TTL: docs/prices.md, "Before a miss, five minutes or an hour". */
export type WhatIf = Cost["whatIf"];

/** The assumptions under which a recommendation must hold, and both bounds of cache reads. */
const BOUNDS = ["as-set", "cache-at-best", "cache-at-worst", "small-summaries", "large-summaries"] as const;
type BoundAssumption = (typeof BOUNDS)[number];

function isBound(assumption: string): assumption is BoundAssumption {
  return BOUNDS.some((bound) => bound === assumption);
}

/** True for an assumption about the terms of the cost, which may make another setting the best one. */
function isTerms(assumption: string): assumption is TermsAssumption {
  return !isBound(assumption);
}

/** Number of sessions that an assumption covers, and the reasons for excluding the others. */
export interface Coverage {
  readonly sessions: number;
  /** Lacks the metric, such as a price. */
  readonly unknown: number;
  /** Skipped: the assumed model has the same cache prices as the session's own, so the result would not change. */
  readonly alike: number;
}

/** Advice under one assumption. */
export interface AdviceUnder<Under extends string> extends Coverage {
  readonly under: Under;
  readonly set: SweepSet;
  readonly saving: Saving;
  readonly missing: readonly Missing[];
}

/** Changes of the parts of the sessions' cost, in dollars; below 0 for savings. */
interface Because {
  readonly read: number;
  /** Written to the cache, or sent without it: cold starts, and uncached tokens after compactions. */
  readonly anew: number;
  readonly output: number;
  readonly summaryCalls: number;
}

/** The recommended setting over some sessions with its reasons, or the absence of evidence. Source: docs/method.md, "The recommendation". */
export interface Recommendation {
  readonly by: AdvisedBy;
  readonly seed: number;
  readonly sessions: number;
  readonly projects: number;
  /** Number of sessions that reach a trigger, and the files of the others, for which no setting makes a difference. */
  readonly crossing: number;
  readonly unaffected: readonly string[];
  readonly current: number;
  /**
   * The swept settings with their totals and savings on the same sessions. The best setting's saving is too high, because chance helped to choose it.
   */
  readonly settings: readonly { readonly set: SweepSet; readonly total: number; readonly saving: number }[];
  /** True if it is a recommendation: it holds under the worst assumption too. */
  readonly isEvidence: boolean;
  readonly advice: AdviceUnder<"as-set">;
  /** Number of sessions that thrash under the advised setting. */
  readonly thrashing: number;
  readonly worst: AdviceUnder<BoundAssumption>;
  readonly turns: readonly AdviceUnder<TermsAssumption>[];
  /** Assumptions without evidence, since no session has the metric there. */
  readonly unknown: readonly (Coverage & { readonly under: BoundAssumption | TermsAssumption })[];
  /** Settings within 1 % of the best one. */
  readonly flat: readonly SweepSet[];
  /** Number of sessions whose cost is a lower bound; then all sums that include it are lower bounds too. 0 unless the metric is the cost. */
  readonly lowerBounds: number;
  /** `null` unless it is by cost. */
  readonly because: Because | null;
  /** Actions of the best setting in pauses, over all sessions; `null` if there are none. */
  readonly pauses: PausesSum | null;
  readonly whatIf: WhatIfSums | null;
}

/** Actions in pauses. The unused ones came after the last request of a session. */
type PausesSum = NonNullable<NonNullable<ReplayMetrics["totals"]["costUsd"]>["pauses"]>;

/** Savings other than by thresholds, over the sessions for which they are known; below 0 for extra cost. */
interface WhatIfSums {
  /** By compacting before every pause longer than the cache TTL. */
  readonly beforeBreaks: { readonly sessions: number; readonly pauses: number; readonly savedUsd: number };
  /** With a TTL of five minutes for all cache writes, and of an hour. */
  readonly lifetimes: { readonly sessions: number; readonly shortUsd: number; readonly longUsd: number };
}

/**
 * The recommended setting over some sessions. Exclude sessions without the metric first. `undefined` if none are left.
 * @param adviser resamples the sessions
 */
export async function recommend(
  sessions: readonly SweptSession[],
  by: AdvisedBy,
  seed: number,
  adviser: Adviser = ADVISER,
): Promise<Recommendation | undefined> {
  const sets = sessions[0]?.replays["as-set"].swept.map(({ set }) => set) ?? [];
  const cases = casesOf(sessions, by);
  const advice = await adviser.settings(
    cases.map(({ advised }) => advisedColumns(advised)),
    seed,
  );
  const under = cases.map((one, index) => adviceUnder(one, advice[index], sets));
  const [asSet, best] = [under.find((one) => one.under === "as-set"), advice[0]];
  if (asSet?.advice === undefined || best === undefined || asSet.coverage.sessions < sessions.length) return undefined;
  const bounds = under.filter(({ under: name }) => isBound(name));
  const worst = worstOf(bounds.flatMap(({ advice: one }) => one ?? [])) ?? asSet.advice;
  const flat = best.flat.map((index) => sets[index] ?? {});
  return {
    by,
    seed,
    sessions: sessions.length,
    crossing: best.crossing,
    projects: new Set(sessions.map(({ project }) => project)).size,
    unaffected: sessions.flatMap(({ file, replays }) => (crosses(replays["as-set"]) ? [] : [file])),
    ...totalsOf(sessions, sets, by),
    isEvidence:
      best.missing.length === 0 && worst.missing.length === 0 && isEquallyGood(worst.set, asSet.advice.set, flat),
    // The cases are built with these names.
    advice: asSet.advice as AdviceUnder<"as-set">,
    thrashing: sessions.filter(({ replays }) => replays["as-set"].swept[best.setting]?.thrashes).length,
    worst: worst as AdviceUnder<BoundAssumption>,
    turns: under.flatMap(({ under: name, advice: one }) =>
      one !== undefined && isTerms(name) ? [{ ...one, under: name }] : [],
    ),
    unknown: under.flatMap(({ under: name, coverage }) =>
      coverage.sessions === 0 && coverage.unknown > 0
        ? [{ under: name as BoundAssumption | TermsAssumption, ...coverage }]
        : [],
    ),
    lowerBounds: by === "cost" ? lowerBoundsOf(sessions.map(({ replays }) => replays["as-set"].current)) : 0,
    flat,
    because: by === "cost" ? becauseOf(sessions, best.setting) : null,
    pauses: pausesOf(sessions, best.setting),
    whatIf: by === "cost" ? whatIfOf(sessions) : null,
  };
}

/** The sessions' metrics under one assumption. */
interface Case {
  readonly under: BoundAssumption | TermsAssumption;
  readonly advised: readonly AdvisedSession[];
  readonly coverage: Coverage;
}

/** One case per assumption; the first case assumes nothing. */
function casesOf(sessions: readonly SweptSession[], by: AdvisedBy): readonly Case[] {
  const assumptions = new Set(sessions.flatMap(({ replays }) => Object.keys(replays)));
  const turns = by === "cost" ? [...assumptions].filter(isTerms) : [];
  return [
    ...BOUNDS.map((bound) => caseOf(bound, sessions, (session) => underBound(session, bound, by))),
    ...turns.map((terms) =>
      caseOf(terms, sessions, (session) => advisedSession(session, terms, (row) => metricOf(row, by))),
    ),
  ];
}

function caseOf(
  under: Case["under"],
  sessions: readonly SweptSession[],
  of: (session: SweptSession) => AdvisedSession | Lacking,
): Case {
  const found = sessions.map(of);
  const advised = found.flatMap((one) => (typeof one === "string" ? [] : [one]));
  const lacking = (why: Lacking) => found.filter((one) => one === why).length;
  return {
    under,
    advised,
    coverage: { sessions: advised.length, unknown: lacking("unknown"), alike: lacking("alike") },
  };
}

function adviceUnder({ under, coverage }: Case, advice: Advice | undefined, sets: readonly SweepSet[]) {
  const named: AdviceUnder<Case["under"]> | undefined = advice && {
    under,
    set: sets[advice.setting] ?? {},
    ...coverage,
    saving: advice.saving,
    missing: advice.missing,
  };
  return { under, coverage, advice: named };
}

/** The assumption with the smallest saving; if some lack evidence, among these. */
function worstOf(bounds: readonly AdviceUnder<string>[]): AdviceUnder<string> | undefined {
  const failing = bounds.filter(({ missing }) => missing.length > 0);
  return (failing.length > 0 ? failing : bounds).toSorted((a, b) => a.saving.low - b.saving.low)[0];
}

/** The sessions' sums under the current setting and every swept one. */
function totalsOf(
  sessions: readonly SweptSession[],
  sets: readonly SweepSet[],
  by: AdvisedBy,
): Pick<Recommendation, "current" | "settings"> {
  const sumOf = (pick: (replays: Replays) => ReplayMetrics | undefined) =>
    sessions.reduce((sum, { replays }) => sum + (metricOf(pick(replays["as-set"]), by) ?? 0), 0);
  const current = sumOf((replays) => replays.current);
  const settings = sets.map((set, index) => {
    const total = sumOf(({ swept }) => swept[index]);
    return { set, total, saving: current > 0 ? 1 - total / current : 0 };
  });
  return { current, settings };
}

/** True if two settings are equally good. */
function isEquallyGood(one: SweepSet, other: SweepSet, flat: readonly SweepSet[]): boolean {
  return one === other || flat.includes(one);
}

/** Reason why an assumption does not cover a session, as in `Coverage`. */
type Lacking = "unknown" | "alike";

/** A session's metrics under one bound of the unknowns. */
function underBound(session: SweptSession, under: BoundAssumption, by: AdvisedBy): AdvisedSession | Lacking {
  if (under !== "cache-at-best" && under !== "cache-at-worst")
    return advisedSession(session, under, (row) => metricOf(row, by));
  const bound = under === "cache-at-best" ? "low" : "high";
  return advisedSession(session, "as-set", (row) =>
    by === "cost" ? (row?.totals.costUsd?.[bound] ?? null) : metricOf(row, by),
  );
}

function advisedSession(
  { project, replays }: SweptSession,
  assumption: Assumption,
  metric: (row: ReplayMetrics | undefined) => number | null,
): AdvisedSession | Lacking {
  const own = replays[assumption];
  if (own === undefined) return "alike";
  const [current, swept] = [metric(own.current), own.swept.map(metric)];
  const known = swept.filter((value) => value !== null);
  if (current === null || known.length < swept.length) return "unknown";
  return { project, current, swept: known, crosses: crosses(own) };
}

/** The metric of a replay; `null` if it has none. */
export function metricOf(row: ReplayMetrics | undefined, by: AdvisedBy): number | null {
  if (row === undefined) return null;
  const { costUsd, tokensSent, summaryCallTokens, neededAgainTokens } = row.totals;
  switch (by) {
    case "cost":
      return costUsd?.total ?? null;
    case "tokens":
      return tokensSent + summaryCallTokens;
    default:
      return neededAgainTokens;
  }
}

function crosses({ current, swept }: Replays): boolean {
  const keepsAlive = ({ totals }: ReplayMetrics) => (totals.costUsd?.pauses?.keepAliveRequests ?? 0) > 0;
  return [current, ...swept].some((row) => row.compactions > 0 || keepsAlive(row));
}

/** Number of replays whose cost is a lower bound: their agents do not record all output. */
export function lowerBoundsOf(rows: readonly (ReplayMetrics | undefined)[]): number {
  return rows.filter((row) => row?.totals.costUsd?.lowerBound === true).length;
}

function becauseOf(sessions: readonly SweptSession[], setting: number): Because {
  const change = (part: (cost: NonNullable<ReplayMetrics["totals"]["costUsd"]>) => number) =>
    sessions.reduce((sum, { replays: { "as-set": own } }) => {
      const [now, then] = [own.current.totals.costUsd, own.swept[setting]?.totals.costUsd];
      return now && then ? sum + part(then) - part(now) : sum;
    }, 0);
  return {
    // Keep-alive requests read the cache too.
    read: change(({ read, pauses }) => (read ?? 0) + (pauses?.keepAliveUsd ?? 0)),
    anew: change(({ write, plain }) => (write ?? 0) + (plain ?? 0)),
    output: change(({ output }) => output ?? 0),
    summaryCalls: change(({ summaryCalls }) => summaryCalls ?? 0),
  };
}

function pausesOf(sessions: readonly SweptSession[], setting: number): PausesSum | null {
  const found = sessions.flatMap(({ replays }) => replays["as-set"].swept[setting]?.totals.costUsd?.pauses ?? []);
  if (found.length === 0) return null;
  return {
    idle: sumOver(found, ({ idle }) => idle),
    unusedIdle: sumOver(found, ({ unusedIdle }) => unusedIdle),
    keepAliveRequests: sumOver(found, ({ keepAliveRequests }) => keepAliveRequests),
    keepAliveUsd: sumOver(found, ({ keepAliveUsd }) => keepAliveUsd),
    unusedUsd: sumOver(found, ({ unusedUsd }) => unusedUsd),
  };
}

function whatIfOf(sessions: readonly SweptSession[]): WhatIfSums {
  const breaks = sessions.flatMap(({ whatIf }) => whatIf?.beforeBreaks ?? []);
  const ttls = sessions.flatMap(({ whatIf }) => whatIf?.lifetimes ?? []);
  return {
    beforeBreaks: {
      sessions: breaks.length,
      pauses: sumOver(breaks, ({ pauses }) => pauses),
      savedUsd: sumOver(breaks, ({ savedUsd }) => savedUsd),
    },
    lifetimes: {
      sessions: ttls.length,
      shortUsd: sumOver(ttls, ({ shortUsd }) => shortUsd),
      longUsd: sumOver(ttls, ({ longUsd }) => longUsd),
    },
  };
}

function sumOver<Value>(values: readonly Value[], of: (value: Value) => number): number {
  return values.reduce((sum, value) => sum + of(value), 0);
}
