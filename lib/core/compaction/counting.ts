import { recordedContext, type SessionColumns } from "../columns/columns";
import type { CountedColumns } from "../columns/counted";
import { calibrate } from "../context/calibration";
import type { CountingMode, Replay } from "./replay";

/**
 * How a session is counted when no mode is chosen: by the recorded usage if there is any, else by the calibrated estimate if that can be fitted, else
 * by the estimate as it is. The page, the API and the command line all ask here, so that they give one answer.
 */
export function defaultCounting(recording: CountedColumns): CountingMode {
  const { columns } = recording;
  if (hasUsage(columns)) return "anchored";
  return calibrate(recording) === undefined ? "estimate" : "calibrated";
}

/** Whether any request of the recording has usage. */
function hasUsage(columns: SessionColumns): boolean {
  for (let request = 0; request < columns.requests.length; request++) {
    if (recordedContext(columns, request) >= 0) return true;
  }
  return false;
}

/**
 * What the figures of a replay rest on. `recorded`: every request that has usage is counted by it. `calibrated`: from some request on the replay
 * departs from the recording, and the fitted factor scales the estimate from there on to the usage. `estimate`: it departs without such a factor, or
 * there is no usage at all.
 */
export type Basis = "recorded" | "calibrated" | "estimate";

/** What a replay's figures rest on. */
export function basisOf(
  { estimated, calibration }: Pick<Replay, "estimated" | "calibration">,
  columns: SessionColumns,
): Basis {
  if (!hasUsage(columns)) return "estimate";
  const parted = estimated.some((is, request) => is === 1 && recordedContext(columns, request) >= 0);
  if (!parted) return "recorded";
  return calibration === undefined ? "estimate" : "calibrated";
}

/**
 * Whether figures on these two bases may be compared. A calibrated estimate stands for the recorded usage, with the error that its calibration
 * states; an estimate that was not calibrated does not.
 */
export function isComparable(a: Basis, b: Basis): boolean {
  return (a === "estimate") === (b === "estimate");
}

/** Whether some of these may not be compared with the others. */
export function isMixed(bases: readonly Basis[]): boolean {
  return bases.some((basis) => !isComparable(basis, bases[0] ?? basis));
}
