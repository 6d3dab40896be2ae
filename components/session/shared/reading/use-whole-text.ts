import { useQuery } from "@tanstack/react-query";
import { getWholeItem } from "@/lib/api/client";
import { useSession } from "../state/session-data";

/** The whole text of one item, fetched on request. */
export function useWholeText(item: number, wanted: boolean) {
  const { id, version, texts } = useSession();
  return useQuery({
    queryKey: ["session", id, "whole", texts, item],
    queryFn: ({ signal }) => getWholeItem(id, { item, at: version }, signal),
    enabled: wanted,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
