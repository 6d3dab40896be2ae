import { type Calibration, DOUBTED } from "@/lib/core/context/calibration";
import type { CalibrationWire } from "@/lib/queries/contract/types";

/** A calibration in the contract's format. */
export function toCalibration(calibration: Calibration | undefined): CalibrationWire | null {
  return calibration === undefined ? null : { ...calibration, doubts: [...calibration.doubts] };
}

/** Reason for an unreliable calibration, as one sentence; `undefined` without one. */
export function doubtSentence(calibration: CalibrationWire | null): string | undefined {
  if (calibration === null || calibration.doubts.length === 0) return undefined;
  const { factor, outOfSampleError } = calibration;
  const reasons = {
    factor: `factor ${factor.toFixed(2)}, outside ${DOUBTED.factorBelow} to ${DOUBTED.factorAbove}`,
    error: `mean out-of-sample error ${percent(outOfSampleError)}, above ${percent(DOUBTED.errorAbove)}`,
  };
  const why = calibration.doubts.map((doubt) => reasons[doubt]).join(" and ");
  return `low confidence (${why}): estimates may be far off.`;
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`;
}
