import { useQuery } from "@tanstack/react-query";
import { getWholeItem } from "@/lib/api/client";
import { useSession } from "../state/session-data";

/** The whole text of one item, fetched on request. */
export function useWholeText(item: number, wanted: boolean) {
  const { id } = useSession();
  return useQuery({
    queryKey: ["session", id, "whole", item],
    queryFn: ({ signal }) => getWholeItem(id, item, signal),
    enabled: wanted,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
