import type { Compared } from "./compared";
import { countedApart, type Difference } from "./difference";

/**
 * A remark on a comparison. `noDifference`: no two runs differ in any metric. `usageApart`: these runs are counted by the recorded usage, and the
 * others by an estimate that is not calibrated to it, so they are not compared. `estimateApart`: the same the other way round. `rewrittenApart`: the
 * uncached tokens of these runs come from the recording, those of the others from comparing their contexts. `doubtfulCalibration`: the calibration of
 * these runs is unreliable. `hindsight`: these runs used the best timing in hindsight, which no policy could know.
 */
export interface Remark {
  readonly id: "noDifference" | "usageApart" | "estimateApart" | "rewrittenApart" | "doubtfulCalibration" | "hindsight";
  /** The runs that it is about, in their order. */
  readonly runs: readonly number[];
}

/**
 * The remarks to show next to a comparison.
 * @param rows its `differences`
 */
export function remarksOn(runs: readonly Compared[], rows: readonly Difference[]): readonly Remark[] {
  const apart = countedApart(runs);
  return [
    ...(apart.length === 0 ? sameRemark(runs, rows) : []),
    ...basisRemark(runs, apart),
    ...uncachedRemark(runs, apart),
    ...doubtRemark(runs),
    ...hindsightRemark(runs),
  ];
}

function hindsightRemark(runs: readonly Compared[]): readonly Remark[] {
  const about = runs.flatMap(({ isHindsight }, index) => (isHindsight ? [index] : []));
  return about.length === 0 ? [] : [{ id: "hindsight", runs: about }];
}

function doubtRemark(runs: readonly Compared[]): readonly Remark[] {
  const isDoubtful = ({ basis, calibration }: Compared) =>
    basis === "calibrated" && (calibration?.doubts.length ?? 0) > 0;
  const about = runs.flatMap((run, index) => (isDoubtful(run) ? [index] : []));
  return about.length === 0 ? [] : [{ id: "doubtfulCalibration", runs: about }];
}

/** @param apart the runs that are not compared with the others in any metric */
function basisRemark(runs: readonly Compared[], apart: readonly number[]): readonly Remark[] {
  const first = runs[apart[0] ?? -1];
  return first === undefined ? [] : [{ id: first.basis === "estimate" ? "estimateApart" : "usageApart", runs: apart }];
}

function uncachedRemark(runs: readonly Compared[], apart: readonly number[]): readonly Remark[] {
  const left = runs.flatMap((run, index) => (apart.includes(index) ? [] : [{ index, isRead: run.uncachedByReads }]));
  const read = left.filter(({ isRead }) => isRead);
  const isMixed = read.length > 0 && read.length < left.length;
  return isMixed ? [{ id: "rewrittenApart", runs: read.map(({ index }) => index) }] : [];
}

/** True if no row has two different values; rows with fewer than two comparable values do not count. */
function sameRemark(runs: readonly Compared[], rows: readonly Difference[]): readonly Remark[] {
  const compared = rows.filter(({ values }) => values.filter((value) => value !== null).length > 1);
  const isSame = compared.every(({ values }) => new Set(values.filter((value) => value !== null)).size === 1);
  return compared.length > 0 && isSame ? [{ id: "noDifference", runs: runs.map((_, run) => run) }] : [];
}
