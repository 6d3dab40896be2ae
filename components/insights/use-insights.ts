import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { SESSIONS_KEY } from "@/components/sessions/use-session-list";
import { getInsights, type SessionsFilter } from "@/lib/api/client";
import type { Facet } from "@/lib/api/facet-keys";

/** Sums and distributions over the sessions that match. */
export function useInsights(filter: SessionsFilter, by: Facet) {
  return useQuery({
    queryKey: [...SESSIONS_KEY, "insights", filter, by],
    queryFn: ({ signal }) => getInsights(filter, by, signal),
    placeholderData: keepPreviousData,
  });
}
