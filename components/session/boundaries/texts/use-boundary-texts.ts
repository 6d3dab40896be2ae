import { queryOptions } from "@tanstack/react-query";
import { getBoundary } from "@/lib/api/client";
import type { BoundaryRequest } from "@/lib/api/types";
import type { BoundaryEntry } from "../../shared/boundaries/entries";
import { useRecorded } from "../../shared/state/recorded-data";
import { useReplay } from "../../shared/state/replay-data";
import { useSession } from "../../shared/state/session-data";

/** A compaction of the very replay that the page shows, as it is asked for. */
export function useBoundaryRequest({ kind, compaction }: BoundaryEntry): BoundaryRequest {
  const { counted } = useRecorded();
  const { choice } = useReplay();
  const at = { at: compaction.request, estimator: counted.estimator };
  if (kind === "recorded") return { ...at, policy: "recorded" };
  const { policy, preset, settings, window, counting } = choice;
  return { ...at, policy: policy.id, preset, settings: { ...settings }, window: window.tokens, counting };
}

/** The parameters for fetching a compaction's texts. */
export function useBoundaryTexts(entry: BoundaryEntry) {
  const { id } = useSession();
  const wanted = useBoundaryRequest(entry);
  return queryOptions({
    queryKey: ["session", id, "boundary", wanted],
    queryFn: () => getBoundary(id, wanted),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
}
