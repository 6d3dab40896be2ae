import { meanOf } from "../base/numbers";
import { MAX_TOKENS, type Tokens } from "../base/units";
import { recordedContext } from "../columns/columns";
import type { CountedColumns } from "../columns/counted";
import { memberSums, recordedMembership } from "../columns/membership";
import { type UsagePair, usagePairs } from "./usage-pairs";

/** Scaling of an estimator to the recorded usage: context ≈ overhead + factor × estimate. */
export interface Calibration {
  readonly factor: number;
  /** Number of pairs of neighbouring requests in the fit. */
  readonly pairs: number;
  /** Error when fitted on the first half and tested on the second: mean of |predicted − recorded| / recorded. */
  readonly outOfSampleError: number;
  /** The same error with its sign: below 0 the prediction is too small. */
  readonly outOfSampleBias: number;
  /** Reasons to distrust the calibration; empty if there are none. */
  readonly doubts: readonly CalibrationDoubt[];
}

/** Reasons to distrust a calibration: an implausible factor, or a large error. */
type CalibrationDoubt = "factor" | "error";

/**
 * Factors outside these bounds and errors above this one are reported wherever the calibration is used. A factor beyond 2 means that the rule counts
 * other texts than were sent: a recording whose texts were masked for publication gives factors of 4 and more. Our choice.
 */
export const DOUBTED = { factorBelow: 0.5, factorAbove: 2, errorAbove: 0.15 } as const;

/** Minimum number of pairs for a calibration. Source: docs/method.md, "Counting". */
const MIN_PAIRS = 8;

/**
 * Fits the factor on this session's pairs of (estimate added, usage added) between neighbouring requests without a boundary in between. The factor is
 * the weighted median of the pairs' ratios, so that a few outliers do not move it. `undefined` with fewer than eight pairs, and if the session's
 * scaled items would exceed any context. Source: docs/method.md, "Counting".
 */
export function calibrate(recording: CountedColumns): Calibration | undefined {
  const { tokens } = recording;
  if (!calibrations.has(tokens)) calibrations.set(tokens, fitFactor(recording));
  return calibrations.get(tokens);
}

/** One fit per token column, shared by all callers. */
const calibrations = new WeakMap<Int32Array, Calibration | undefined>();

function fitFactor(recording: CountedColumns): Calibration | undefined {
  const pairs = usagePairs(recording);
  if (pairs.length < MIN_PAIRS) return undefined;
  const factor = medianRatio(pairs);
  if (factor * itemTokens(recording) > MAX_TOKENS) return undefined;
  const half = pairs.length >> 1;
  const test = outOfSample(recording, medianRatio(pairs.slice(0, half)), pairs.slice(half));
  return { factor, pairs: pairs.length, ...test, doubts: doubtsOf(factor, test.outOfSampleError) };
}

/** Sum of all items' tokens. */
function itemTokens({ columns, tokens }: CountedColumns): Tokens {
  let sum = 0;
  for (let row = columns.overheadRows; row < columns.length; row++) sum += tokens[row] ?? 0;
  return sum;
}

/**
 * The factor that splits a recorded total by items; `undefined` without a calibration, or if the factor is out of range: then the counted texts are
 * not those that were sent, and scaled parts would exceed their items many times over. Source: docs/method.md, "Counting".
 */
export function plausibleFactor(calibration: Calibration | undefined): number | undefined {
  return calibration?.doubts.includes("factor") === true ? undefined : calibration?.factor;
}

function doubtsOf(factor: number, error: number): readonly CalibrationDoubt[] {
  const isFar = factor < DOUBTED.factorBelow || factor > DOUBTED.factorAbove;
  return [...(isFar ? ["factor" as const] : []), ...(error > DOUBTED.errorAbove ? ["error" as const] : [])];
}

/** Median of recorded / estimate, with each pair weighted by its estimate: half of the weight has a smaller ratio or this one. */
function medianRatio(pairs: readonly UsagePair[]): number {
  const ratios = Float64Array.from(pairs, ratioOf);
  const total = pairs.reduce((sum, pair) => sum + pair.estimate, 0);
  // Sorting plain numbers is several times faster than sorting pairs by ratio; the weights are then looked up for a few ratios only.
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

/** Scales item tokens by the factor and rounds them so that every range sums to within one token. Overhead rows do not change. */
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

/** Last scaling of each token column: a moving slider requests it repeatedly. */
const scalings = new WeakMap<Int32Array, { readonly factor: number; readonly scaled: Int32Array }>();
