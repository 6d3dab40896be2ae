import { meanOf } from "../base/numbers";
import { MOST_TOKENS, type Tokens } from "../base/units";
import { recordedContext } from "../columns/columns";
import type { CountedColumns } from "../columns/counted";
import { memberSums, recordedMembership } from "../columns/membership";
import { type UsagePair, usagePairs } from "./usage-pairs";

/** How an estimator is scaled to the recorded usage: context ≈ overhead + factor × estimate. */
export interface Calibration {
  readonly factor: number;
  /** Number of pairs of neighbouring requests that it was fitted on. */
  readonly pairs: number;
  /** The error when fitted on the first half and tested on the second: mean of |predicted − recorded| / recorded. */
  readonly outOfSampleError: number;
  /** The same with its sign: below 0 it predicts too little. */
  readonly outOfSampleBias: number;
  /** Why it should not be relied on; empty where nothing speaks against it. */
  readonly doubts: readonly CalibrationDoubt[];
}

/** What makes a calibration doubtful: a factor that no token rule is off by, or an error that is too large. */
type CalibrationDoubt = "factor" | "error";

/**
 * Factors outside these bounds, and errors above this one, are reported wherever the calibration is used. A rule that is off by more than twice
 * counts other texts than were sent: a recording whose texts were masked when it was published gives factors of 4 and more. Source: ours.
 */
export const DOUBTED = { factorBelow: 0.5, factorAbove: 2, errorAbove: 0.15 } as const;

/** Fewer pairs than this give no calibration. Source: docs/method.md, "Counting". */
const MIN_PAIRS = 8;

/**
 * Fits the factor on this session's pairs of (estimate added, usage added) between neighbouring requests without a boundary in between. The factor is
 * the weighted median of the pairs' ratios, so that a few wild pairs do not move it. `undefined` with fewer than eight pairs, and where the session's
 * items would come to more than any context holds. Source: docs/method.md, "Counting".
 */
export function calibrate(recording: CountedColumns): Calibration | undefined {
  const { tokens } = recording;
  if (!calibrations.has(tokens)) calibrations.set(tokens, fitFactor(recording));
  return calibrations.get(tokens);
}

/** One fit per token column, made once and shared by all callers. */
const calibrations = new WeakMap<Int32Array, Calibration | undefined>();

function fitFactor(recording: CountedColumns): Calibration | undefined {
  const pairs = usagePairs(recording);
  if (pairs.length < MIN_PAIRS) return undefined;
  const factor = medianRatio(pairs);
  if (factor * itemTokens(recording) > MOST_TOKENS) return undefined;
  const half = pairs.length >> 1;
  const test = outOfSample(recording, medianRatio(pairs.slice(0, half)), pairs.slice(half));
  return { factor, pairs: pairs.length, ...test, doubts: doubtsOf(factor, test.outOfSampleError) };
}

/** Tokens of all items together. */
function itemTokens({ columns, tokens }: CountedColumns): Tokens {
  let sum = 0;
  for (let row = columns.overheadRows; row < columns.length; row++) sum += tokens[row] ?? 0;
  return sum;
}

function doubtsOf(factor: number, error: number): readonly CalibrationDoubt[] {
  const isFar = factor < DOUBTED.factorBelow || factor > DOUBTED.factorAbove;
  return [...(isFar ? ["factor" as const] : []), ...(error > DOUBTED.errorAbove ? ["error" as const] : [])];
}

/** Median of recorded / estimate, with each pair weighted by its estimate: the least ratio up to which half of the weight lies. */
function medianRatio(pairs: readonly UsagePair[]): number {
  const ratios = Float64Array.from(pairs, ratioOf);
  const total = pairs.reduce((sum, pair) => sum + pair.estimate, 0);
  // Numbers alone are sorted several times faster than pairs by their ratios; the weights are then looked up for a few ratios only.
  const sorted = ratios.toSorted();
  let [low, high] = [0, sorted.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    const ratio = sorted[middle] ?? 0;
    let weight = 0;
    for (let at = 0; at < ratios.length; at++) if ((ratios[at] ?? 0) <= ratio) weight += pairs[at]?.estimate ?? 0;
    if (weight * 2 >= total) high = middle;
    else low = middle + 1;
  }
  return sorted[low] ?? 1;
}

function ratioOf({ recorded, estimate }: UsagePair): number {
  return recorded / estimate;
}

function outOfSample({ columns, tokens }: CountedColumns, factor: number, pairs: readonly UsagePair[]) {
  const overheadRows = columns.overheadRows;
  const [overhead, items] = memberSums(columns, tokens, recordedMembership(columns), 2, (row) =>
    row < overheadRows ? 0 : 1,
  );
  const errors = pairs.map(({ request }) => {
    const recorded = recordedContext(columns, request);
    return ((overhead?.[request] ?? 0) + factor * (items?.[request] ?? 0) - recorded) / recorded;
  });
  return { outOfSampleError: meanOf(errors.map(Math.abs)), outOfSampleBias: meanOf(errors) };
}

/** Item tokens scaled by the factor and rounded so that every stretch sums to within one token; overhead rows stay as they are. */
export function scaledTokens({ columns, tokens }: CountedColumns, factor: number): Int32Array {
  const known = scalings.get(tokens);
  if (known?.factor === factor) return known.scaled;
  const scaled = Int32Array.from(tokens);
  let sum = 0;
  let before = 0;
  for (let row = columns.overheadRows; row < columns.length; row++) {
    sum += tokens[row] ?? 0;
    const upTo = Math.round(sum * factor);
    scaled[row] = upTo - before;
    before = upTo;
  }
  scalings.set(tokens, { factor, scaled });
  return scaled;
}

/** The last scaling of each token column: a moving slider asks for the same one again and again. */
const scalings = new WeakMap<Int32Array, { readonly factor: number; readonly scaled: Int32Array }>();
