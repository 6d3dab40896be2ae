import { meanOf, sumOf } from "../base/numbers";
import type { RequestIndex, Share, Tokens } from "../base/units";
import { boundariesOf, recordedContext } from "../columns/columns";
import type { CountedColumns } from "../columns/counted";
import { memberSums, recordedMembership } from "../columns/membership";
import { pointCount } from "../columns/points";
import { nonePolicy } from "../compaction/policies/none";
import { type CountingMode, replay } from "../compaction/replay";
import { type Calibration, calibrate } from "../context/calibration";
import { usagePairs } from "../context/usage-pairs";

/**
 * Accuracy of an estimator against the usage that the provider reported. Shares are of the recorded amount; below 0 the estimator estimates too
 * little.
 */
export interface Accuracy {
  /** Number of pairs of neighbouring requests behind `bias` and `mape` (`usagePairs`). */
  readonly pairs: number;
  /** (estimate − recorded) / recorded, over the sum of all growth between the pairs. */
  readonly bias: Share;
  /** Mean absolute percentage error: the mean over the pairs of |estimate − recorded| / recorded. Small growth weighs as much as large growth. */
  readonly mape: Share;
  /** The same for whole contexts, over the requests with usage. The first one is left out, because the overhead is inferred from it. */
  readonly context: { readonly requests: number; readonly bias: Share; readonly mape: Share };
  readonly trigger: TriggerShift | undefined;
  /** `undefined` with fewer than eight pairs. */
  readonly calibration: Calibration | undefined;
}

/**
 * Requests at which a never-compacted context would first reach a size: from recorded usage (after the first recorded compaction, from the calibrated
 * estimate), and from the estimate alone. `undefined` if it is not reached within the recording.
 */
interface TriggerShift {
  readonly threshold: Tokens;
  readonly recorded: RequestIndex | undefined;
  readonly estimated: RequestIndex | undefined;
  /** Number of requests by which the estimate is late; below 0 it is early. `undefined` if either series never reaches the threshold. */
  readonly shift: number | undefined;
}

/**
 * Compares a token column with the recorded usage. Returns `undefined` without two neighbouring requests whose usage can be compared. Source:
 * docs/method.md, "Accuracy".
 * @param threshold size at which the recording's own agent compacts, if known
 */
export function accuracyOf(recording: CountedColumns, threshold: Tokens | undefined): Accuracy | undefined {
  const pairs = usagePairs(recording);
  if (pairs.length === 0) return undefined;
  return {
    pairs: pairs.length,
    bias: sumOf(pairs.map(({ estimate }) => estimate)) / sumOf(pairs.map(({ recorded }) => recorded)) - 1,
    mape: meanOf(pairs.map(({ estimate, recorded }) => Math.abs(estimate - recorded) / recorded)),
    context: contextError(recording),
    trigger: threshold === undefined ? undefined : triggerShift(recording, threshold),
    calibration: calibrate(recording),
  };
}

function contextError(recording: CountedColumns): Accuracy["context"] {
  const { columns } = recording;
  const estimate = estimates(recording);
  const errors: number[] = [];
  for (let request = 0; request < columns.requests.length; request++) {
    const recorded = recordedContext(columns, request);
    if (recorded > 0) errors.push((estimate[request] ?? 0) / recorded - 1);
  }
  const compared = errors.slice(1);
  return { requests: compared.length, bias: meanOf(compared), mape: meanOf(compared.map(Math.abs)) };
}

function triggerShift(recording: CountedColumns, threshold: Tokens): TriggerShift {
  const { columns } = recording;
  const points = pointCount(columns);
  const change = columns.boundaries.request[boundariesOf(columns, "compaction")[0] ?? -1] ?? points;
  // Usage after a compaction does not measure an uncompacted context, so the calibrated estimate takes over, if there is one.
  const known = calibrate(recording) === undefined ? change : points;
  const recorded = firstReaching(uncompacted(recording, "anchored"), threshold, 0, known);
  const estimated =
    firstReaching(estimates(recording), threshold, 0, change) ??
    firstReaching(uncompacted(recording, "estimate"), threshold, change, points);
  const shift = recorded === undefined || estimated === undefined ? undefined : estimated - recorded;
  return { threshold, recorded, estimated, shift };
}

/** The estimated size of the recorded context at every request. */
function estimates({ columns, tokens }: CountedColumns): Int32Array {
  const [sums = new Int32Array(0)] = memberSums(columns, tokens, recordedMembership(columns), 1, () => 0);
  return sums;
}

function uncompacted(recording: CountedColumns, counting: CountingMode): Int32Array {
  return replay(recording, nonePolicy, {}, { window: Number.POSITIVE_INFINITY, counting }).context;
}

/** The first request point in [from, to) whose context is at least the threshold. */
function firstReaching(context: Int32Array, threshold: Tokens, from: number, to: number): RequestIndex | undefined {
  const point = context.subarray(from, to).findIndex((size) => size >= threshold);
  return point === -1 ? undefined : from + point;
}
