import type { Share } from "../base/units";
import { drawn, type Random, randomOf, shuffled } from "./random";

/** What a recommendation is to make small. */
export const ADVISED_BY = ["cost", "tokens", "neededAgain"] as const;
export type AdvisedBy = (typeof ADVISED_BY)[number];

/** A session under the current setting and under every swept one: a figure of which less is better, such as cost. */
export interface AdvisedSession {
  /** Sessions of one project resemble each other. */
  readonly project: string;
  readonly current: number;
  /** By swept setting, in their order. */
  readonly swept: readonly number[];
  /** Whether any of these replays compacts; else no setting makes a difference to it. */
  readonly crosses: boolean;
}

/** What a change of the setting saves, as a share of the current figure, and the interval that holds it in 95 of 100 cases. */
export interface Saving {
  readonly estimate: Share;
  readonly low: Share;
  readonly high: Share;
}

/**
 * What is missing for a recommendation. `sessions`: fewer than eight sessions reach a trigger. `interval`: the interval includes 0. `size`: less than
 * 3 % is saved.
 */
export type Missing = "sessions" | "interval" | "size";

export interface Advice {
  /** Index of the setting that is best over all sessions. */
  readonly setting: number;
  /** What choosing like this saves, on sessions that the choice was not made on. */
  readonly saving: Saving;
  /** Empty where it is a recommendation. */
  readonly missing: readonly Missing[];
  /** The settings that come within a hundredth of the best one. */
  readonly flat: readonly number[];
  /** How many sessions reach a trigger. */
  readonly crossing: number;
}

/** Source of the four: docs/method.md, "The recommendation". */
export const REPEATS = 200;
/** Nothing is chosen here, so drawing again costs little. */
const PAIRED_REPEATS = 1000;
export const LEAST_SESSIONS = 8;
export const LEAST_SAVING: Share = 0.03;
const FLAT: Share = 0.01;

/**
 * Which setting to choose over some sessions, and what that saves. A setting is chosen on each random half of the sessions and judged on the other half;
 * for the interval, projects and then their sessions are drawn again with replacement, each judged under what was chosen without it. This is repeated
 * 200 times. The same seed gives the same advice. `undefined` where there are no sessions or no settings.
 */
export function advise(sessions: readonly AdvisedSession[], seed: number): Advice | undefined {
  const setting = bestOf(sessions);
  if (setting < 0) return undefined;
  const random = randomOf(seed);
  const projects = projectsOf(sessions);
  const repeats = Array.from({ length: REPEATS }, () => repeat(sessions, projects, random));
  const estimate = repeats.reduce((sum, { plain }) => sum + plain, 0) / REPEATS;
  const saving = interval(
    estimate,
    repeats.map(({ redrawn }) => redrawn),
    unitsOf(projects, sessions),
  );
  const crossing = sessions.filter(({ crosses }) => crosses).length;
  const missing: readonly [Missing, boolean][] = [
    ["sessions", crossing < LEAST_SESSIONS],
    ["interval", saving.low <= 0],
    ["size", saving.estimate < LEAST_SAVING],
  ];
  return {
    ...{ setting, saving, crossing, flat: flatAround(sessions, setting) },
    missing: missing.flatMap(([one, isMissing]) => (isMissing ? [one] : [])),
  };
}

/** One split into halves: the saving on the sessions themselves, and on sessions drawn from them. */
function repeat(sessions: readonly AdvisedSession[], projects: readonly Project[], random: Random) {
  const order = shuffled(sessions, random);
  const half = Math.floor(order.length / 2);
  const halves = [order.slice(0, half), order.slice(half)] as const;
  const chosen = [bestOf(halves[0]), bestOf(halves[1])] as const;
  // Each is judged under the setting that was chosen without it.
  const judged = new Map(halves.flatMap((own, index) => own.map((session) => [session, chosen[1 - index] ?? -1])));
  const savingOn = (some: readonly AdvisedSession[]) => {
    const sum = new Sum();
    for (const session of some) sum.add(session, judged.get(session) ?? -1);
    return sum.saving;
  };
  return { plain: savingOn(sessions), redrawn: savingOn(drawnAgain(projects, random)) };
}

/**
 * What a change that is given, such as another policy, saves over some sessions: projects and then their sessions are drawn again with replacement, each
 * session set against itself. The same seed gives the same interval.
 * @param sessions with the one other figure that the current one is compared with
 */
export function pairedSaving(sessions: readonly AdvisedSession[], seed: number): Saving {
  const random = randomOf(seed);
  const projects = projectsOf(sessions);
  const savingOn = (some: readonly AdvisedSession[]) => {
    const sum = new Sum();
    for (const session of some) sum.add(session, 0);
    return sum.saving;
  };
  const redrawn = Array.from({ length: PAIRED_REPEATS }, () => savingOn(drawnAgain(projects, random)));
  return interval(savingOn(sessions), redrawn, unitsOf(projects, sessions));
}

class Sum {
  #current = 0;
  #chosen = 0;

  /** @param setting -1 leaves the current one */
  add({ current, swept }: AdvisedSession, setting: number): void {
    this.#current += current;
    this.#chosen += swept[setting] ?? current;
  }

  get saving(): Share {
    return this.#current > 0 ? 1 - this.#chosen / this.#current : 0;
  }
}

/** As many projects as there are, drawn with replacement, and as many sessions of each, drawn likewise. */
function drawnAgain(projects: readonly Project[], random: Random): readonly AdvisedSession[] {
  return projects.flatMap(() => {
    const own = drawn(projects, random) ?? [];
    return own.flatMap(() => drawn(own, random) ?? []);
  });
}

/** How many of what was drawn again are independent of each other. */
function unitsOf(projects: readonly Project[], sessions: readonly AdvisedSession[]): number {
  return projects.length > 1 ? projects.length : sessions.length;
}

/** The sessions of one project. */
type Project = readonly AdvisedSession[];

function projectsOf(sessions: readonly AdvisedSession[]): readonly Project[] {
  const projects = new Map<string, AdvisedSession[]>();
  for (const session of sessions) {
    const own = projects.get(session.project);
    if (own === undefined) projects.set(session.project, [session]);
    else own.push(session);
  }
  return [...projects.values()];
}

/** The setting with the least sum, the first of those that are equal; -1 where there are no sessions or no settings. */
function bestOf(sessions: readonly AdvisedSession[]): number {
  const sums = sumsOf(sessions);
  return sums.indexOf(Math.min(...sums));
}

function flatAround(sessions: readonly AdvisedSession[], setting: number): readonly number[] {
  const sums = sumsOf(sessions);
  const most = (sums[setting] ?? 0) * (1 + FLAT);
  return sums.flatMap((sum, index) => (sum <= most ? [index] : []));
}

function sumsOf(sessions: readonly AdvisedSession[]): readonly number[] {
  const settings = sessions[0]?.swept.length ?? 0;
  return Array.from({ length: settings }, (_, index) =>
    sessions.reduce((sum, { swept }) => sum + (swept[index] ?? Number.NaN), 0),
  );
}

/**
 * From the 2.5th to the 97.5th percentile, wider for few units: drawing from few again shows too little of how much they differ. A deviation of n units
 * is too small by √((n − 1) ÷ n), and what 95 of 100 cases take of it is Student's quantile instead of the normal one.
 */
function interval(estimate: Share, values: readonly number[], units: number): Saving {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: Share) => sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN;
  const free = Math.max(1, units - 1);
  const wider = (quantileOfStudent(free) / NORMAL) * Math.sqrt((free + 1) / free);
  const [low, high] = [estimate - (estimate - at(0.025)) * wider, estimate + (at(0.975) - estimate) * wider];
  return { estimate, low: Math.min(low, estimate), high: Math.max(high, estimate) };
}

/** The 97.5th percentile of the normal distribution. */
const NORMAL = 1.959964;

/** That of Student's, by Cornish and Fisher's expansion: off by a hundredth with 5 degrees of freedom. */
function quantileOfStudent(freedom: number): number {
  const [z, cube] = [NORMAL, NORMAL ** 3];
  return z + (cube + z) / (4 * freedom) + (5 * NORMAL ** 5 + 16 * cube + 3 * z) / (96 * freedom ** 2);
}
