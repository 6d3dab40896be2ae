import { type UseQueryResult, useQueries } from "@tanstack/react-query";
import { useMemo } from "react";
import type { SessionColumns } from "@/lib/core/columns/columns";
import type { Policy } from "@/lib/core/compaction/policy";
import { useSession } from "./session-data";
import { contentsQuery, measuresQuery, needsQuery } from "./use-measures";

/**
 * The columns with the measures that several policies ask for besides tokens. The server works out each once; until it arrives,
 * and where that fails, a policy goes by sizes.
 * @param contents whether to find out which texts are equal as well
 */
export function useRunMeasures(
  columns: SessionColumns,
  policies: readonly Policy[],
  contents: boolean,
): SessionColumns {
  const session = useSession();
  const distinct = [...new Set(policies)];
  const queries = [
    ...distinct.map((policy) => measuresQuery(session, policy)),
    contentsQuery(session, contents),
    needsQuery(session),
  ];
  const measures = useQueries({ queries, combine: known });
  return useMemo(
    () => (measures.length === 0 ? columns : { ...columns, measures: Object.assign({}, ...measures) }),
    [columns, measures],
  );
}

/** Outside the hook, so that the query client sees the same function each time and returns the same list while nothing arrives. */
function known(results: readonly UseQueryResult<SessionColumns["measures"]>[]): readonly SessionColumns["measures"][] {
  return results.map(({ data }) => data).filter((data) => data !== undefined);
}
