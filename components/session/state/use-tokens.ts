import { useQuery } from "@tanstack/react-query";
import { useMemo, useRef } from "react";
import { getColumns } from "@/lib/api/client";
import { decodeColumns } from "@/lib/core/columns/codec";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { sizeTokenColumn } from "@/lib/core/columns/token-columns";
import { isSizeEstimator } from "@/lib/core/tokens/estimator";
import { FIRST_ESTIMATOR, needsServer } from "./estimators";

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
export function useTokens(id: string, columns: SessionColumns, chosen: string): readonly [Int32Array, CountedBy] {
  const query = useQuery({
    queryKey: ["session", id, "tokens", chosen],
    queryFn: async ({ signal }) => {
      const counted = decodeColumns(await getColumns(id, { tokens: chosen }, signal));
      return counted.tokens[chosen] ?? null;
    },
    enabled: needsServer(chosen) && columns.tokens[chosen] === undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  const sized = useMemo(
    () => (isSizeEstimator(chosen) ? sizeTokenColumn(columns, chosen) : undefined),
    [columns, chosen],
  );
  const tokens = sized ?? columns.tokens[chosen] ?? query.data ?? undefined;
  const last = useRef<{ estimator: string; tokens: Int32Array } | null>(null);
  if (tokens !== undefined) last.current = { estimator: chosen, tokens };
  const fallback = useMemo(() => sizeTokenColumn(columns, FIRST_ESTIMATOR), [columns]);
  const { estimator, tokens: inForce } = last.current ?? { estimator: FIRST_ESTIMATOR, tokens: fallback };
  const counted = {
    estimator,
    pending: tokens === undefined && query.isFetching,
    failed: tokens === undefined && (query.isError || query.data === null),
    retry: () => void query.refetch(),
  };
  return [inForce, counted];
}
