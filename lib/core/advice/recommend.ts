import type { Share } from "../base/units";
import type { AdvisedColumns } from "./advised";

/** Metrics that a recommendation can minimise. */
export const ADVISED_BY = ["cost", "tokens", "neededAgain"] as const;
export type AdvisedBy = (typeof ADVISED_BY)[number];

/** Saving from a change of the setting, as a share of the current value, with its 95 % interval. */
export interface Saving {
  readonly estimate: Share;
  readonly low: Share;
  readonly high: Share;
}

/**
 * Reason why there is no recommendation. `sessions`: fewer than eight sessions reach a trigger. `interval`: the interval includes 0. `size`: less
 * than 3 % is saved.
 */
export type Missing = "sessions" | "interval" | "size";

/**
 * Gap in the evidence for a recommendation, in the word that every surface uses; `undefined` if there is none. `few`: the saving is above zero, over
 * too few sessions to recommend it. `none`: there is no evidence of a saving.
 */
export function gapOf(missing: readonly Missing[]): "few" | "none" | undefined {
  if (missing.length === 0) return undefined;
  return missing.every((one) => one === "sessions") ? "few" : "none";
}

/**
 * The conclusion of a recommendation, in one word for every surface. `unsure`: the sessions show the saving, but not under every assumption about the
 * simulation.
 */
export function conclusionOf({
  isEvidence,
  advice,
}: {
  readonly isEvidence: boolean;
  readonly advice: Pick<Advice, "missing">;
}): "saves" | "unsure" | "few" | "none" {
  return isEvidence ? "saves" : (gapOf(advice.missing) ?? "unsure");
}

export interface Advice {
  /** Index of the setting that is best over all sessions. */
  readonly setting: number;
  /** Saving on sessions that were not used to choose the setting. */
  readonly saving: Saving;
  /** Empty if the advice is a recommendation. */
  readonly missing: readonly Missing[];
  /** Settings within 1 % of the best one. */
  readonly flat: readonly number[];
  /** Number of sessions that reach a trigger. */
  readonly crossing: number;
}

/** Source of these limits: docs/method.md, "The recommendation". */
const REPEATS = 200;
/** Resampling is cheap here because no setting is chosen. */
const PAIRED_REPEATS = 1000;
/** Minimum sessions for a recommendation, and on each side of a comparison before and after a date. */
export const MIN_SESSIONS = 8;
const MIN_SAVING: Share = 0.03;
const FLAT: Share = 0.01;

/**
 * Chooses the best setting for a list of sessions and estimates its saving.
 *
 * Example: under the settings 60 %, 70 % and 80 %, eight sessions cost $8, $6 and $7 in sum. The setting with the least sum is 70 %. Its saving of 25
 * % would be too good, because chance helped to choose it. So the sessions are split into two random halves: one half chooses the setting, the other
 * half measures its saving, and then the halves swap. The mean over 200 splits is the estimate. For the interval, projects and then their sessions
 * are resampled with replacement (a bootstrap), each session judged under the setting chosen without it.
 *
 * The same seed gives the same advice. Returns `undefined` without sessions or settings.
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
    repeats.map(({ resampled }) => resampled),
    unitsOf(projects, sessions),
  );
  const { crossing } = sessions;
  const missing: readonly [Missing, boolean][] = [
    ["sessions", crossing < MIN_SESSIONS],
    ["interval", saving.low <= 0],
    ["size", saving.estimate < MIN_SAVING],
  ];
  return {
    setting,
    saving,
    crossing,
    flat: flatAround(sessions, all, setting),
    missing: missing.flatMap(([one, isMissing]) => (isMissing ? [one] : [])),
  };
}

/** One random split: the saving on the sessions themselves, and on a resample of them. */
function repeat(sessions: AdvisedColumns, projects: readonly Project[], random: Random) {
  const order = shuffled(sessions.current.length, random);
  const middle = Math.floor(order.length / 2);
  const halves = [order.subarray(0, middle), order.subarray(middle)] as const;
  const chosen = [bestOf(sessions, halves[0]), bestOf(sessions, halves[1])] as const;
  // Each session is judged under the setting chosen without it, or under the current setting if there is none.
  const judged = new Float64Array(order.length);
  for (const [index, own] of halves.entries()) {
    const metrics = sessions.swept[chosen[1 - index] ?? -1] ?? sessions.current;
    for (const session of own) judged[session] = metrics[session] ?? 0;
  }
  return {
    plain: savingOf(sessions.current, judged),
    resampled: resampledSaving(sessions.current, judged, projects, random),
  };
}

/**
 * Saving of a given change, such as another policy. Projects and then their sessions are resampled with replacement, and each session is compared
 * with itself. The same seed gives the same interval.
 * @param sessions with a single setting, which is compared with the current one
 */
export function pairedSaving(sessions: AdvisedColumns, seed: number): Saving {
  const random = randomOf(seed);
  const projects = projectsOf(sessions);
  const { current, swept } = sessions;
  const other = swept[0] ?? current;
  const resampled = Array.from({ length: PAIRED_REPEATS }, () => resampledSaving(current, other, projects, random));
  return interval(savingOf(current, other), resampled, unitsOf(projects, sessions));
}

function savingOf(current: Float64Array, chosen: Float64Array): Share {
  let [before, after] = [0, 0];
  for (let session = 0; session < current.length; session++) {
    before += current[session] ?? 0;
    after += chosen[session] ?? 0;
  }
  return share(before, after);
}

/** Saving over one resample: as many projects as there are, chosen with replacement, and as many sessions as each has, also with replacement. */
function resampledSaving(
  current: Float64Array,
  chosen: Float64Array,
  projects: readonly Project[],
  random: Random,
): Share {
  let [before, after] = [0, 0];
  for (let project = 0; project < projects.length; project++) {
    const own = projects[randomBelow(projects.length, random)] ?? [];
    for (let index = 0; index < own.length; index++) {
      const session = own[randomBelow(own.length, random)] ?? 0;
      before += current[session] ?? 0;
      after += chosen[session] ?? 0;
    }
  }
  return share(before, after);
}

function share(before: number, after: number): Share {
  return before > 0 ? 1 - after / before : 0;
}

/** Number of independent units in the resample. */
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

/** The setting with the least sum over some sessions; the first of equal ones, −1 without sessions or settings. */
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
  return swept.map((metrics) => {
    let sum = 0;
    for (let index = 0; index < some.length; index++) sum += metrics[some[index] ?? -1] ?? 0;
    return sum;
  });
}

/**
 * From the 2.5th to the 97.5th percentile, widened for few units, because resampling a few shows too little of their spread. The deviation of n units
 * is too small by √((n − 1) ÷ n), and Student's quantile replaces the normal one.
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

/** The 97.5th percentile of Student's distribution by the Cornish-Fisher expansion: off by 1 % with 5 degrees of freedom. */
function quantileOfStudent(freedom: number): number {
  const [z, cube] = [NORMAL, NORMAL ** 3];
  return z + (cube + z) / (4 * freedom) + (5 * NORMAL ** 5 + 16 * cube + 3 * z) / (96 * freedom ** 2);
}

/** Pseudo-random numbers from 0 (included) to 1; the same seed gives the same numbers. */
type Random = () => number;

/**
 * Mulberry32, a generator of 32 bits. Source: Tommy Ettinger, 2017, public domain.
 * @param seed a whole number
 */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A random whole number from 0 (included) to `below`. */
function randomBelow(below: number, random: Random): number {
  return Math.floor(random() * below);
}

/** The whole numbers from 0 (included) to `length` in a random order. */
function shuffled(length: number, random: Random): Int32Array {
  const order = Int32Array.from({ length }, (_, index) => index);
  for (let last = length - 1; last > 0; last--) {
    const at = randomBelow(last + 1, random);
    const one = order[at] ?? 0;
    order[at] = order[last] ?? 0;
    order[last] = one;
  }
  return order;
}
