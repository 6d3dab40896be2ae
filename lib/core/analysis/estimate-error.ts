import type { Tokens } from "../base/units";
import type { CountedColumns } from "../columns/counted";
import { calibrate } from "../context/calibration";
import { usagePairs } from "../context/usage-pairs";

/** Possible error in tokens of an estimate of a given size. */
export type EstimateError = (estimate: Tokens) => Tokens;

/**
 * Usual error of a session's estimates: the mean, over the pairs that the calibration is fitted on, of the difference between the calibrated estimate
 * of a request's growth and the growth of the recorded context. For an estimate above the mean estimate, the error grows in proportion. `undefined`
 * if the session does not calibrate, because then too little is known.
 */
export function estimateError(recording: CountedColumns): EstimateError | undefined {
  const calibration = calibrate(recording);
  if (calibration === undefined) return undefined;
  const { factor } = calibration;
  const pairs = usagePairs(recording);
  let [error, size] = [0, 0];
  for (const { estimate, recorded } of pairs) {
    error += Math.abs(estimate * factor - recorded) / pairs.length;
    size += (estimate * factor) / pairs.length;
  }
  return (estimate) => Math.round(error * Math.max(1, estimate / size));
}
