import type { ReplayResult, SimulatedCompactionWire } from "@/lib/api/contract";
import { doubtSentence } from "@/lib/questions/calibration";
import { countText } from "./count-text";

type Counted = Pick<ReplayResult, "counting" | "basis" | "calibration">;

/** How a result was counted, and what its figures rest on: `anchored (recorded usage)`, `anchored (calibrated × 1.43, error 16.6 %)`, `estimate`. */
export function countingText(result: Counted): string {
  const { counting, basis, calibration } = result;
  if (basis === "recorded") return `${counting} (recorded usage)`;
  if (basis === "calibrated" && calibration !== null) {
    return `${counting} (${counting === "calibrated" ? "" : "calibrated "}${calibrationText(calibration)})`;
  }
  return isUnscaled(result) ? `${counting} (not calibrated)` : counting;
}

/** What a run's figures rest on, as short as a table's column takes it. */
export function countedText(result: Counted): string {
  if (result.basis === "recorded") return "recorded usage";
  return result.basis === "calibrated" ? "calibrated" : `estimate${isUnscaled(result) ? ", unscaled" : ""}`;
}

/** What has to be said of a result that a doubtful calibration counted: a line, or none. */
export function doubtLines({ basis, calibration }: Pick<Counted, "basis" | "calibration">): readonly string[] {
  return basis === "calibrated" ? partDoubtLines(calibration) : [];
}

/** The same of a context whose parts a doubtful calibration gives, whatever its size rests on. */
export function partDoubtLines(calibration: Counted["calibration"]): readonly string[] {
  const doubt = doubtSentence(calibration) ?? "";
  return doubt === "" ? [] : [`${doubt.charAt(0).toUpperCase()}${doubt.slice(1)}`];
}

/** Whether estimates were to be calibrated and are not, for want of usage. */
export function isUnscaled({ counting, basis }: Counted): boolean {
  return counting !== "estimate" && basis === "estimate";
}

/** A calibration as one reads it: its factor, and how far it is off where it was tested. */
export function calibrationText({ factor, outOfSampleError }: NonNullable<Counted["calibration"]>): string {
  return `× ${factor.toFixed(2)}, error ${(outOfSampleError * 100).toFixed(1)} %`;
}

/** The sizes of a compaction by one count, where the recorded usage counted up to it and does no more; else nothing. */
export function sameCountText(
  compaction: Pick<SimulatedCompactionWire, "tokensBefore" | "tokensAfter" | "tokensBeforeCounted">,
): string {
  const { tokensBefore, tokensAfter, tokensBeforeCounted } = compaction;
  if (tokensBeforeCounted === tokensBefore) return "";
  return `, by the same count ${countText(tokensBeforeCounted)} → ${countText(tokensAfter)}`;
}
