import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";
import { requiredContext } from "@/components/hooks/required-context";
import { type Prices, pricesOfModels } from "@/lib/core/prices/prices";
import { ask } from "@/lib/queries/client/client";
import type { CostTerms } from "@/lib/queries/cost/cost-terms";
import { ReplayCosts } from "@/lib/queries/cost/simulated-cost";
import { useSession } from "./session-data";
import { COST_TERMS_PARSERS } from "./url-state";
import { useAddress } from "./use-address";

/** How the page prices requests. This changes with the choice of prices, never while a slider moves. */
export interface CostData {
  /** Prices of the session's models, and of the selected model. */
  readonly prices: Prices;
  /** The terms in force. They leave out a model whose prices have not arrived or do not exist. */
  readonly terms: CostTerms;
  /** What a replay would have cost. */
  readonly costs: ReplayCosts;
  /** The model in the address, where it is not in force: its prices are still loading, failed to load, or do not exist. */
  readonly missing: { readonly model: string; readonly isLoading: boolean; readonly hasFailed: boolean } | undefined;
}

const [Context, useCosts] = requiredContext<CostData>("CostData");

export { useCosts };

/** The choice of prices in the address. */
export function useCostTerms() {
  return useAddress(COST_TERMS_PARSERS);
}

/** Provides prices. Those of the session's models come with the session; another model's are fetched once, when it is selected. */
export function CostDataProvider({ children }: { readonly children: ReactNode }) {
  const { answer, columns } = useSession();
  const [{ ttl, on, priceDate }] = useCostTerms();
  const own = on === null ? undefined : answer.prices[on];
  const row = useQuery({
    queryKey: ["prices", on],
    queryFn: ({ signal }) => ask("prices", { search: { model: on ?? undefined } }, signal),
    enabled: on !== null && own === undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const entry = own ?? row.data?.entry ?? undefined;
  const prices = useMemo(
    () => pricesOfModels(on === null || entry === undefined ? answer.prices : { ...answer.prices, [on]: entry }),
    [answer.prices, on, entry],
  );
  const { isLoading, isError: hasFailed } = row;
  const data = useMemo((): CostData => {
    const isKnown = on !== null && entry !== undefined;
    const terms: CostTerms = {
      ...(ttl === "recorded" ? {} : { ttl }),
      ...(isKnown ? { on } : {}),
      ...(priceDate === "recorded" ? {} : { priceDate }),
    };
    const missing = on === null || isKnown ? undefined : { model: on, isLoading, hasFailed };
    return { prices, terms, costs: new ReplayCosts({ columns }, prices, terms), missing };
  }, [prices, ttl, on, priceDate, entry, isLoading, hasFailed, columns]);
  return <Context value={data}>{children}</Context>;
}
