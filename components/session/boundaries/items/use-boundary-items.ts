import { useMemo } from "react";
import type { BoundaryItem } from "@/lib/core/compaction/boundary-items";
import { recordedPolicy } from "@/lib/core/compaction/policies/recorded";
import { categoryOfCode } from "@/lib/core/context/breakdown";
import { boundaryItems, sizesAsEntered } from "@/lib/questions/boundaries/boundary-details";
import type { BoundaryEntry } from "../../shared/boundaries/entries";
import { useRecorded } from "../../shared/state/recorded-data";
import { useReplay } from "../../shared/state/replay-data";
import { useMeasures } from "../../shared/state/use-measures";
import type { SizedCategory } from "./fates";

/** What the compaction did to every item of the context, worked out from numbers alone. */
export function useBoundaryItems({ kind, ordinal }: Pick<BoundaryEntry, "kind" | "ordinal">): readonly BoundaryItem[] {
  const ran = useRan(kind);
  return useMemo(() => boundaryItems(ran, ordinal), [ran, ordinal]);
}

/** The overhead by category, sized by the count that gives the items' sizes. */
export function useBoundaryOverhead({ kind }: Pick<BoundaryEntry, "kind">): readonly SizedCategory[] {
  const ran = useRan(kind);
  return useMemo(() => {
    const { columns } = ran.recording;
    const sizes = sizesAsEntered(ran).subarray(0, columns.overheadRows);
    return Array.from(sizes, (tokens, row) => ({ category: categoryOfCode(columns.category[row] ?? -1), tokens }));
  }, [ran]);
}

function useRan(kind: BoundaryEntry["kind"]) {
  const { recorded, recording } = useRecorded();
  const { simulated, choice } = useReplay();
  const measured = useMeasures(recording.columns, choice.policy);
  return useMemo(() => {
    const prepared = kind === "recorded" ? { ...choice, policy: recordedPolicy } : choice;
    const replay = kind === "recorded" ? recorded : simulated;
    return { prepared, replay, recording: { ...recording, columns: measured } };
  }, [kind, choice, recorded, simulated, measured, recording]);
}
