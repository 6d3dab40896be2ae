import { countText } from "@/lib/core/base/number-text";
import type { ReplayResult, SessionSummary, SimulatedCompactionWire } from "@/lib/queries/contract/schemas";
import { doubtSentence } from "@/lib/queries/session/calibration";

type Counted = Pick<ReplayResult, "counting" | "basis" | "calibration">;

/** Counting mode and basis of a result's metrics: `anchored (recorded usage)`, `anchored (calibrated × 1.43, error 16.6 %)`, `estimate`. */
export function countingText(result: Counted): string {
  const { counting, basis, calibration } = result;
  if (basis === "recorded") return `${counting} (recorded usage)`;
  if (basis === "calibrated" && calibration !== null) {
    return `${counting} (${counting === "calibrated" ? "" : "calibrated "}${calibrationText(calibration)})`;
  }
  return isUnscaled(result) ? `${counting} (not calibrated)` : counting;
}

/** Basis of a run's metrics, short enough for a table column. */
export function countedText(result: Counted): string {
  if (result.basis === "recorded") return "recorded usage";
  return result.basis === "calibrated" ? "calibrated" : `estimate${isUnscaled(result) ? ", unscaled" : ""}`;
}

/** A warning if a doubtful calibration counted the result, else no line. */
export function doubtLines({ basis, calibration }: Pick<Counted, "basis" | "calibration">): readonly string[] {
  return basis === "calibrated" ? partDoubtLines(calibration) : [];
}

/** The factor that scales the parts of a recorded context, if there is one, and a warning if that calibration is doubtful. */
export function recordedPartLines(calibration: Counted["calibration"]): readonly string[] {
  const isScaled = calibration !== null && !calibration.doubts.includes("factor");
  const factor = calibration?.factor.toFixed(2);
  const fitted = isScaled ? [`Parts of the messages are estimates × ${factor}, fitted to the recorded usage.`] : [];
  return [...fitted, ...partDoubtLines(calibration)];
}

/** A warning if a doubtful calibration sizes the parts of a context, whatever the basis of its total. */
export function partDoubtLines(calibration: Counted["calibration"]): readonly string[] {
  const doubt = doubtSentence(calibration) ?? "";
  return doubt === "" ? [] : [`${doubt.charAt(0).toUpperCase()}${doubt.slice(1)}`];
}

/** A note that a replay's metrics include requests that another session made, which `cost` omits. */
export function inheritedNote({ bill }: Pick<SessionSummary, "bill">): readonly string[] {
  const count = bill?.inherited?.requests ?? 0;
  if (count === 0) return [];
  const requests = count === 1 ? "1 inherited request" : `${countText(count)} inherited requests`;
  return [`The metrics include ${requests}; \`cost\` lists own and inherited requests separately.`];
}

/** True if estimates should have been calibrated but too little usage is recorded. */
export function isUnscaled({ counting, basis }: Counted): boolean {
  return counting !== "estimate" && basis === "estimate";
}

/** A calibration in words: its factor, and its error on requests outside the fit. */
export function calibrationText({ factor, outOfSampleError }: NonNullable<Counted["calibration"]>): string {
  return `× ${factor.toFixed(2)}, error ${(outOfSampleError * 100).toFixed(1)} %`;
}

/**
 * The sizes before and after a compaction, counted by the same rule; empty if the shown sizes already are. They differ only if a replay departs from
 * recorded usage.
 */
export function sameCountText(
  compaction: Pick<SimulatedCompactionWire, "tokensBefore" | "tokensAfter" | "tokensBeforeCounted">,
): string {
  const { tokensBefore, tokensAfter, tokensBeforeCounted } = compaction;
  if (tokensBeforeCounted === tokensBefore) return "";
  return `, by the same count ${countText(tokensBeforeCounted)} → ${countText(tokensAfter)}`;
}
