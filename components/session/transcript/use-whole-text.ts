import { useQuery } from "@tanstack/react-query";
import { ApiError } from "@/lib/api/client";
import type { ItemsAnswer } from "@/lib/api/types";
import { useSession } from "../state/session-data";

/** The whole text of one item, fetched on request. */
export function useWholeText(item: number, wanted: boolean) {
  const { id } = useSession();
  return useQuery({
    queryKey: ["session", id, "whole", item],
    queryFn: async ({ signal }) => {
      const path = `/api/sessions/${encodeURIComponent(id)}/items?from=${item}&to=${item + 1}&full=1`;
      const response = await fetch(path, { signal });
      if (!response.ok) throw new ApiError("problem", response.status, response.statusText, "");
      // The contract's own tests ensure that the server sends this shape.
      const answer = (await response.json()) as ItemsAnswer;
      return answer.items[0] ?? null;
    },
    enabled: wanted,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
