import type { CheckedBoundaryWire, FidelityWire } from "@/lib/api/types";

/** The two ways of checking a policy against a recording. */
export const FIGURES = ["reanchored", "freeRunning"] as const;
export type Figure = (typeof FIGURES)[number];

type Prediction = FidelityWire["reanchored"]["alarms"][number];

/** A recorded compaction, or one that the policy predicts where none was recorded. */
export type OwnPolicyRow =
  | {
      readonly kind: "recorded";
      readonly request: number;
      readonly boundary: CheckedBoundaryWire;
      /** Recorded context of the request before it, as a share of the policy's limit; `null` where either is unknown. */
      readonly ofLimit: number | null;
    }
  | { readonly kind: "alarm"; readonly request: number; readonly figure: Figure; readonly prediction: Prediction };

/** Recorded compactions and false alarms in the order of their requests. */
export function ownPolicyRows(fidelity: FidelityWire): readonly OwnPolicyRow[] {
  const { boundaries, threshold } = fidelity;
  const recorded = boundaries.map((boundary): OwnPolicyRow => {
    const { request, lastRecorded } = boundary;
    const ofLimit = lastRecorded === null || !threshold ? null : lastRecorded / threshold;
    return { kind: "recorded", request, boundary, ofLimit };
  });
  const alarms = FIGURES.flatMap((figure) =>
    fidelity[figure].alarms.map(
      (prediction): OwnPolicyRow => ({ kind: "alarm", request: prediction.request, figure, prediction }),
    ),
  );
  return [...recorded, ...alarms].sort((a, b) => a.request - b.request);
}
