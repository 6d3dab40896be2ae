import { queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { SessionColumns } from "@/lib/core/columns/columns";
import type { Policy } from "@/lib/core/compaction/policy/policy";
import { furtherColumns } from "./held-columns";

/** The fields of an opened session that its measures depend on. */
interface Shown {
  readonly id: string;
  readonly version: string;
  readonly columns: SessionColumns;
  /** Names of the measures that came along with the columns. */
  readonly measured: readonly string[];
  /** True while the file is being written. */
  readonly live: boolean;
}

function measures({ id, version, columns, measured }: Shown, name: string, enabled: boolean) {
  // Measures from before the file grew came along with its columns.
  const isKnown = measured.includes(name);
  return queryOptions({
    queryKey: ["session", id, "measures", name, version],
    queryFn: async ({ signal }) => (await furtherColumns(id, version, { measures: name }, signal))?.measures ?? {},
    enabled: enabled && !isKnown,
    ...(isKnown && { placeholderData: columns.measures }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: isKnown ? 0 : Number.POSITIVE_INFINITY,
  });
}

/** The measures that a policy needs besides tokens, by name. */
export function measuresQuery(session: Shown, policy: Policy) {
  return measures(session, policy.measuredBy ?? policy.id, policy.measures !== undefined);
}

/** Items with equal texts, as a measure. The server compares them once, on first use. */
export function contentsQuery(session: Shown, enabled = true) {
  return measures(session, "contents", enabled);
}

/** Name of the measure that detects re-fetches. */
export const REFETCH_MEASURE = "needs";

/**
 * Index of the paths and edits in the texts, which detects re-fetches. The server searches the texts once. While the file is being written, no
 * request is sent: the server would search all texts again at every line.
 */
export function refetchQuery(session: Shown) {
  return measures(session, REFETCH_MEASURE, !session.live);
}

/** True if a replay needs to know which texts are equal. */
export function asksForContents(settings: Readonly<Record<string, unknown>>): boolean {
  return settings.inputReferences === true;
}

/**
 * The columns with the measures that the policy needs besides tokens. The server computes them once, when the policy is first
 * selected. Until they arrive, and if that fails, the policy uses sizes.
 * @param contents true to compare texts as well
 */
export function useMeasures(session: Shown, columns: SessionColumns, policy: Policy, contents = false): SessionColumns {
  const { data } = useQuery(measuresQuery(session, policy));
  const equal = useQuery(contentsQuery(session, contents)).data;
  return useMemo(
    () => (data === undefined && equal === undefined ? columns : { ...columns, measures: { ...data, ...equal } }),
    [columns, data, equal],
  );
}

/** The columns with the index that detects re-fetches, once the texts were searched. No replay depends on it. */
export function useWithRefetches(session: Shown, columns: SessionColumns): SessionColumns {
  const { data } = useQuery(refetchQuery(session));
  return useMemo(
    () => (data === undefined ? columns : { ...columns, measures: { ...columns.measures, ...data } }),
    [columns, data],
  );
}
