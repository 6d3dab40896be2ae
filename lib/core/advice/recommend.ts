import type { Share } from "../base/units";
import type { AdvisedColumns } from "./advised";

/** What a recommendation is to make small. */
export const ADVISED_BY = ["cost", "tokens", "neededAgain"] as const;
export type AdvisedBy = (typeof ADVISED_BY)[number];

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
const REPEATS = 200;
/** Nothing is chosen here, so drawing again costs little. */
const PAIRED_REPEATS = 1000;
const LEAST_SESSIONS = 8;
const LEAST_SAVING: Share = 0.03;
const FLAT: Share = 0.01;

/**
 * Which setting to choose over some sessions, and what that saves. A setting is chosen on each random half of the sessions and judged on the other half;
 * for the interval, projects and then their sessions are drawn again with replacement, each judged under what was chosen without it. This is repeated
 * 200 times. The same seed gives the same advice. `undefined` where there are no sessions or no settings.
 */
export function advise(sessions: AdvisedColumns, seed: number): Advice | undefined {
  const all = sessions.current.map((_, index) => index);
  const setting = bestOf(sessions, all);
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
  const { crossing } = sessions;
  const missing: readonly [Missing, boolean][] = [
    ["sessions", crossing < LEAST_SESSIONS],
    ["interval", saving.low <= 0],
    ["size", saving.estimate < LEAST_SAVING],
  ];
  return {
    setting,
    saving,
    crossing,
    flat: flatAround(sessions, all, setting),
    missing: missing.flatMap(([one, isMissing]) => (isMissing ? [one] : [])),
  };
}

/** One split into halves: the saving on the sessions themselves, and on sessions drawn from them. */
function repeat(sessions: AdvisedColumns, projects: readonly Project[], random: Random) {
  const order = shuffled(sessions.current.length, random);
  const middle = Math.floor(order.length / 2);
  const halves = [order.subarray(0, middle), order.subarray(middle)] as const;
  const chosen = [bestOf(sessions, halves[0]), bestOf(sessions, halves[1])] as const;
  // Each is judged under the setting that was chosen without it; without one, under the current setting.
  const judged = new Float64Array(order.length);
  for (const [index, own] of halves.entries()) {
    const figures = sessions.swept[chosen[1 - index] ?? -1] ?? sessions.current;
    for (const session of own) judged[session] = figures[session] ?? 0;
  }
  return {
    plain: savingOf(sessions.current, judged),
    redrawn: redrawnSaving(sessions.current, judged, projects, random),
  };
}

/**
 * What a change that is given, such as another policy, saves over some sessions: projects and then their sessions are drawn again with replacement, each
 * session set against itself. The same seed gives the same interval.
 * @param sessions with the one other figure that the current one is compared with
 */
export function pairedSaving(sessions: AdvisedColumns, seed: number): Saving {
  const random = randomOf(seed);
  const projects = projectsOf(sessions);
  const { current, swept } = sessions;
  const other = swept[0] ?? current;
  const redrawn = Array.from({ length: PAIRED_REPEATS }, () => redrawnSaving(current, other, projects, random));
  return interval(savingOf(current, other), redrawn, unitsOf(projects, sessions));
}

function savingOf(current: Float64Array, chosen: Float64Array): Share {
  let [before, after] = [0, 0];
  for (let session = 0; session < current.length; session++) {
    before += current[session] ?? 0;
    after += chosen[session] ?? 0;
  }
  return share(before, after);
}

/** The saving over as many projects as there are, drawn with replacement, and as many sessions of each, drawn likewise. */
function redrawnSaving(
  current: Float64Array,
  chosen: Float64Array,
  projects: readonly Project[],
  random: Random,
): Share {
  let [before, after] = [0, 0];
  for (let project = 0; project < projects.length; project++) {
    const own = projects[drawn(projects.length, random)] ?? [];
    for (let index = 0; index < own.length; index++) {
      const session = own[drawn(own.length, random)] ?? 0;
      before += current[session] ?? 0;
      after += chosen[session] ?? 0;
    }
  }
  return share(before, after);
}

function share(before: number, after: number): Share {
  return before > 0 ? 1 - after / before : 0;
}

/** How many of what was drawn again are independent of each other. */
function unitsOf(projects: readonly Project[], { current }: AdvisedColumns): number {
  return projects.length > 1 ? projects.length : current.length;
}

/** The sessions of one project. */
type Project = readonly number[];

function projectsOf({ project }: AdvisedColumns): readonly Project[] {
  const projects: number[][] = [];
  project.forEach((number, session) => {
    const own = projects[number];
    if (own === undefined) projects[number] = [session];
    else own.push(session);
  });
  return projects;
}

/** The setting with the least sum over some sessions, the first of those that are equal; −1 where there are no sessions or no settings. */
function bestOf(sessions: AdvisedColumns, some: ArrayLike<number>): number {
  if (some.length === 0) return -1;
  const sums = sumsOf(sessions, some);
  return sums.indexOf(Math.min(...sums));
}

function flatAround(sessions: AdvisedColumns, all: ArrayLike<number>, setting: number): readonly number[] {
  const sums = sumsOf(sessions, all);
  const most = (sums[setting] ?? 0) * (1 + FLAT);
  return sums.flatMap((sum, index) => (sum <= most ? [index] : []));
}

function sumsOf({ swept }: AdvisedColumns, some: ArrayLike<number>): readonly number[] {
  return swept.map((figures) => {
    let sum = 0;
    for (let index = 0; index < some.length; index++) sum += figures[some[index] ?? -1] ?? 0;
    return sum;
  });
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

/** Numbers from 0 (included) to 1 that look random, the same ones for the same seed. */
type Random = () => number;

/** Mulberry32, a generator of 32 bits. Source: Tommy Ettinger, 2017, public domain. @param seed a whole number */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A whole number from 0 (included) to another. */
function drawn(below: number, random: Random): number {
  return Math.floor(random() * below);
}

/** The whole numbers from 0 (included) to another in a random order. */
function shuffled(length: number, random: Random): Int32Array {
  const order = Int32Array.from({ length }, (_, index) => index);
  for (let last = length - 1; last > 0; last--) {
    const at = drawn(last + 1, random);
    const one = order[at] ?? 0;
    order[at] = order[last] ?? 0;
    order[last] = one;
  }
  return order;
}
