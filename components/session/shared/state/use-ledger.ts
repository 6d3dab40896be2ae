import { queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { isChanceMatch } from "@/lib/core/refetch/listed";
import { ask } from "@/lib/queries/client/client";
import type { LedgerAnswer, LedgerRequest } from "@/lib/queries/contract/types";
import { useReplay, useSession } from "./stores";

function ledgerQuery(id: string, wanted: LedgerRequest, enabled: boolean) {
  return queryOptions({
    queryKey: ["session", id, "ledger", wanted],
    queryFn: () => ask("ledger", { id, body: wanted }),
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
  });
}

/** Re-fetched content after the recorded compactions, by the current prices. Not requested without compactions. */
export function useRecordedLedger() {
  const { id, summary, counted } = useSession("id", "summary", "counted");
  const { costs } = useReplay("costs");
  const wanted = { estimator: counted.estimator, ...pricing(costs.terms) };
  return useQuery(ledgerQuery(id, wanted, summary.compactions.length > 0));
}

/** Re-fetched content after the simulated compactions, on request: a slider sends no request. */
export function useSimulatedLedger(isAsked: boolean) {
  const { id, counted } = useSession("id", "counted");
  const { choice, costs } = useReplay("choice", "costs");
  const { policy, preset, settings, window, counting } = choice;
  const run = { policy: policy.id, preset, settings: { ...settings }, window: window.tokens, counting };
  return useQuery(ledgerQuery(id, { ...run, estimator: counted.estimator, ...pricing(costs.terms) }, isAsked));
}

/** The requested prices. The day is named only if it is not each request's own. */
function pricing({
  ttl,
  on,
  priceDate,
}: Pick<LedgerAnswer["costTerms"], "ttl" | "on" | "priceDate">): Pick<LedgerRequest, "ttl" | "on" | "priceDate"> {
  return { ttl, priceDate, ...(on === null ? {} : { on }) };
}

/** The default prices. */
const USUAL = { ttl: "recorded", on: null, priceDate: "recorded" } as const;

/** For every item that re-fetched content after a recorded compaction, the dropped items that had held it. Independent of prices. */
export function useRefetched(): ReadonlyMap<number, readonly number[]> {
  const { id, summary, counted } = useSession("id", "summary", "counted");
  const wanted = { estimator: counted.estimator, ...pricing(USUAL) };
  const { data } = useQuery(ledgerQuery(id, wanted, summary.compactions.length > 0));
  return useMemo(() => refetchedItems(data), [data]);
}

const known = new WeakMap<LedgerAnswer, ReadonlyMap<number, readonly number[]>>();

/** Every row of the transcript calls this, so each answer is processed once. */
function refetchedItems(answer: LedgerAnswer | undefined): ReadonlyMap<number, readonly number[]> {
  if (answer === undefined) return new Map();
  const found = known.get(answer);
  if (found !== undefined) return found;
  const items = new Map<number, number[]>();
  const refetches = (answer.needs ?? []).flatMap((boundary) => boundary.needs);
  for (const refetch of refetches) {
    const { needed: refetched, dropped, runAgain, certainty } = refetch;
    if (runAgain || certainty === "hint" || dropped < 0 || isChanceMatch(refetch)) continue;
    const sources = items.get(refetched) ?? [];
    if (!sources.includes(dropped)) sources.push(dropped);
    items.set(refetched, sources);
  }
  known.set(answer, items);
  return items;
}
