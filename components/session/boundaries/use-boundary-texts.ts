import { queryOptions } from "@tanstack/react-query";
import { getBoundary } from "@/lib/api/client";
import type { BoundaryRequest } from "@/lib/api/types";
import { useRecorded } from "../state/recorded-data";
import { useReplay } from "../state/replay-data";
import { useSession } from "../state/session-data";
import type { BoundaryEntry } from "./entries";

/** The parameters for fetching a compaction's texts: they describe the very replay that the page shows. */
export function useBoundaryTexts({ kind, compaction }: BoundaryEntry) {
  const { id } = useSession();
  const { counted } = useRecorded();
  const { choice } = useReplay();
  const at = { at: compaction.request, estimator: counted.estimator };
  const wanted: BoundaryRequest =
    kind === "recorded"
      ? { ...at, policy: "recorded" }
      : {
          ...at,
          policy: choice.policy.id,
          preset: choice.preset,
          settings: { ...choice.settings },
          window: choice.window.tokens,
          counting: choice.counting,
        };
  return queryOptions({
    queryKey: ["session", id, "boundary", wanted],
    queryFn: () => getBoundary(id, wanted),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
}
