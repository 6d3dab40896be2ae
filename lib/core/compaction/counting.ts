import { recordedContext, type SessionColumns } from "../columns/columns";
import type { CountedColumns } from "../columns/counted";
import { calibrate } from "../context/calibration";
import type { CountingMode, Replay } from "./replay";

/**
 * Default counting mode of a session: by the recorded usage if there is any, else by the calibrated estimate if a factor can be fitted, else by the
 * plain estimate. The page, the API and the command line all call this function, so they agree.
 */
export function defaultCounting(recording: CountedColumns): CountingMode {
  const { columns } = recording;
  if (hasUsage(columns)) return "anchored";
  return calibrate(recording) === undefined ? "estimate" : "calibrated";
}

function hasUsage(columns: SessionColumns): boolean {
  for (let request = 0; request < columns.requests.length; request++) {
    if (recordedContext(columns, request) >= 0) return true;
  }
  return false;
}

/**
 * Basis of a replay's metrics. `recorded`: every request that has usage is counted by it. `calibrated`: from some request on the replay departs from
 * the recording, and the fitted factor scales the estimate from there on to the usage. `estimate`: it departs without such a factor, or there is no
 * usage at all.
 */
export type Basis = "recorded" | "calibrated" | "estimate";

export function basisOf(
  { estimated, calibration }: Pick<Replay, "estimated" | "calibration">,
  columns: SessionColumns,
): Basis {
  if (!hasUsage(columns)) return "estimate";
  const departs = estimated.some((is, request) => is === 1 && recordedContext(columns, request) >= 0);
  if (!departs) return "recorded";
  return calibration === undefined ? "estimate" : "calibrated";
}

/**
 * True if metrics on these two bases can be compared. A calibrated estimate approximates the recorded usage, with the error that its calibration
 * states; an estimate without calibration does not.
 */
export function isComparable(a: Basis, b: Basis): boolean {
  return (a === "estimate") === (b === "estimate");
}

/** True if some of these bases cannot be compared with the others. */
export function isMixed(bases: readonly Basis[]): boolean {
  return bases.some((basis) => !isComparable(basis, bases[0] ?? basis));
}
