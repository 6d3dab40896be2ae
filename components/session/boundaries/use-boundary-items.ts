import { useMemo } from "react";
import type { BoundaryItem } from "@/lib/core/compaction/boundary-items";
import { recordedPolicy } from "@/lib/core/compaction/recorded";
import { boundaryItems } from "@/lib/questions/boundary-details";
import { useRecorded } from "../state/recorded-data";
import { useReplay } from "../state/replay-data";
import { useMeasures } from "../state/use-measures";
import type { BoundaryEntry } from "./entries";

/** What the compaction did to every item of the context, worked out from numbers alone. */
export function useBoundaryItems({ kind, ordinal }: Pick<BoundaryEntry, "kind" | "ordinal">): readonly BoundaryItem[] {
  const { recorded, recording } = useRecorded();
  const { simulated, choice } = useReplay();
  const measured = useMeasures(recording.columns, choice.policy);
  return useMemo(() => {
    const prepared = kind === "recorded" ? { ...choice, policy: recordedPolicy } : choice;
    const replay = kind === "recorded" ? recorded : simulated;
    return boundaryItems({ prepared, replay, recording: { ...recording, columns: measured } }, ordinal);
  }, [kind, ordinal, choice, recorded, simulated, measured, recording]);
}
