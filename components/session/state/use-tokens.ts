import { useQuery } from "@tanstack/react-query";
import { useMemo, useRef } from "react";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { sizeTokenColumn } from "@/lib/core/columns/token-columns";
import { isSizeEstimator } from "@/lib/core/tokens/estimator";
import { FIRST_ESTIMATOR, needsServer } from "./estimators";
import { furtherColumns } from "./held-columns";
import type { SessionData } from "./session-data";

/** What the tokens are counted by. */
export interface CountedBy {
  /** The estimator whose tokens are shown: still the previous one while the selected one's tokens are being counted. */
  readonly estimator: string;
  readonly pending: boolean;
  readonly failed: boolean;
  readonly retry: () => void;
}

/**
 * The token column of an estimator. Estimators that need sizes only are computed from the columns. For the others the server
 * counts; their column comes with the session or is fetched once. Until it arrives, and where that fails, the previous column
 * stays in force.
 */
export function useTokens(
  { id, version, columns }: Pick<SessionData, "id" | "version" | "columns">,
  chosen: string,
): readonly [Int32Array, CountedBy] {
  const query = useQuery({
    queryKey: ["session", id, "tokens", chosen, version],
    queryFn: async ({ signal }) => {
      const counted = await furtherColumns(id, version, { tokens: chosen }, signal);
      return counted?.tokens[chosen] ?? null;
    },
    enabled: needsServer(chosen) && columns.tokens[chosen] === undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: columns.tokens[chosen] === undefined ? Number.POSITIVE_INFINITY : 0,
  });
  const sized = useMemo(
    () => (isSizeEstimator(chosen) ? sizeTokenColumn(columns, chosen) : undefined),
    [columns, chosen],
  );
  const tokens = sized ?? columns.tokens[chosen] ?? query.data ?? undefined;
  const last = useRef<{ estimator: string; tokens: Int32Array } | null>(null);
  if (tokens !== undefined) last.current = { estimator: chosen, tokens };
  // What was counted before the file went on came along with its columns.
  else if (last.current !== null && last.current.tokens.length !== columns.length)
    last.current = goneOn(last.current.estimator, columns);
  const known = last.current;
  const { estimator, tokens: inForce } = useMemo(
    () => known ?? { estimator: FIRST_ESTIMATOR, tokens: sizeTokenColumn(columns, FIRST_ESTIMATOR) },
    [known, columns],
  );
  const counted = {
    estimator,
    pending: tokens === undefined && query.isFetching,
    failed: tokens === undefined && (query.isError || query.data === null),
    retry: () => void query.refetch(),
  };
  return [inForce, counted];
}

/** The tokens of an estimator for the columns as they are now, where they are known. */
function goneOn(estimator: string, columns: SessionColumns): { estimator: string; tokens: Int32Array } | null {
  const tokens = isSizeEstimator(estimator) ? sizeTokenColumn(columns, estimator) : columns.tokens[estimator];
  return tokens === undefined ? null : { estimator, tokens };
}
