import { queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { getColumns } from "@/lib/api/client";
import { decodeColumns } from "@/lib/core/columns/codec";
import type { SessionColumns } from "@/lib/core/columns/columns";
import type { Policy } from "@/lib/core/compaction/policy";

function measures(id: string, name: string, enabled: boolean) {
  return queryOptions({
    queryKey: ["session", id, "measures", name],
    queryFn: async ({ signal }) => decodeColumns(await getColumns(id, { measures: name }, signal)).measures,
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
}

/** The measures that a policy asks for besides tokens, by name. */
export function measuresQuery(id: string, policy: Policy) {
  return measures(id, policy.id, policy.measures !== undefined);
}

/** Which items have equal texts, as a measure. The server compares them once, when this is first asked for. */
export function contentsQuery(id: string, enabled = true) {
  return measures(id, "contents", enabled);
}

/** Whether a replay needs to know which texts are equal. */
export function asksForContents(settings: Readonly<Record<string, unknown>>): boolean {
  return settings.inputReferences === true;
}

/**
 * The columns with the measures that the policy asks for besides tokens. The server works them out once, when the policy is first
 * selected. Until they arrive, and where that fails, the policy goes by sizes.
 * @param contents whether to find out which texts are equal as well
 */
export function useMeasures(id: string, columns: SessionColumns, policy: Policy, contents = false): SessionColumns {
  const { data } = useQuery(measuresQuery(id, policy));
  const equal = useQuery(contentsQuery(id, contents)).data;
  return useMemo(
    () => (data === undefined && equal === undefined ? columns : { ...columns, measures: { ...data, ...equal } }),
    [columns, data, equal],
  );
}
