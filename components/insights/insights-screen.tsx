"use client";

import Link from "next/link";
import { useSearchParams } from "next/navigation";
import { useQueryStates } from "nuqs";
import { useMemo, useRef } from "react";
import { useTranslations } from "use-intl";
import { useArrival } from "@/components/hooks/use-arrival";
import { useErrorText } from "@/components/hooks/use-error-text";
import { useSettled } from "@/components/hooks/use-settled";
import { FilterChips } from "@/components/sessions/filter-chips";
import { FacetSheet } from "@/components/sessions/filter-row";
import { filterRequest } from "@/components/sessions/list-request";
import { useListState } from "@/components/sessions/use-list-state";
import { useChoices } from "@/components/sessions/use-session-list";
import { useOwnPolicies } from "@/components/settings/own-policies";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import type { Facet } from "@/lib/api/facet-keys";
import { AdviceSection } from "./advice-section";
import { DistributionSection } from "./distribution-section";
import { INSIGHTS_PARSERS } from "./insights-params";
import { PoliciesSection } from "./policies-section";
import { askedSelection, sessionsHref } from "./selection";
import { SumsSection } from "./sums-section";
import { TrustSection } from "./trust-section";
import { useInsights } from "./use-insights";
import { useReadOn } from "./use-read-on";

/** The request goes out when typing pauses for this long. */
const PAUSE_MS = 150;

/** What many sessions say together: which setting to choose, how policies compare, sums, distributions, and how far to trust them. The address holds which. */
export function InsightsScreen() {
  const t = useTranslations("insights");
  const page = useRef<HTMLElement>(null);
  useArrival(page, true);
  const list = useListState();
  const isReading = useReadOn();
  // Policies of one's own are among those that are offered once they are there.
  useOwnPolicies();
  const search = useSearchParams();
  const filters = useSettled(list.filters, PAUSE_MS);
  const ticked = list.selection.ids;
  const asked = useMemo(() => filterRequest(filters), [filters]);
  const { data: choices, error, refetch } = useChoices(asked);
  const selection = useMemo(() => askedSelection(filters, ticked), [filters, ticked]);
  const count = ticked.length > 0 ? ticked.length : choices?.total.sessions;
  const agent = choices?.choices.agent[0]?.value ?? (isReading ? undefined : null);
  return (
    <main
      ref={page}
      id="content"
      tabIndex={-1}
      aria-label={t("title")}
      className="min-h-0 min-w-0 grow overflow-y-auto pb-6"
    >
      <div className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-panel px-4 py-2">
        <h1 className="text-lg font-semibold">{t("title")}</h1>
        <p className="grow text-sm text-t2" aria-live="polite" data-testid="asked">
          {count !== undefined && t(ticked.length > 0 ? "selected" : "sessions", { count })}
        </p>
        {ticked.length > 0 && <Button onClick={list.selection.clear}>{t("allInstead")}</Button>}
        <FacetSheet list={list} choices={choices} />
        <Button asChild variant="ghost">
          <Link href={sessionsHref(search)} prefetch={false}>
            {t("openList")}
          </Link>
        </Button>
      </div>
      <div className="pt-2">
        <FilterChips list={list} choices={choices} />
      </div>
      {choices === undefined && error !== null ? (
        <Failure error={error} onRetry={refetch} />
      ) : choices === undefined ? (
        <Loading />
      ) : count === 0 ? (
        <Nothing />
      ) : (
        <>
          <AdviceSection selection={selection} agent={agent} />
          <PoliciesSection selection={selection} agent={agent} />
          {ticked.length === 0 && <Recorded filter={asked} />}
        </>
      )}
    </main>
  );
}

/** What was recorded, summed up by the index: it needs no replay. */
function Recorded({ filter }: { readonly filter: ReturnType<typeof filterRequest> }) {
  const [{ by }, set] = useQueryStates(INSIGHTS_PARSERS);
  const insights = useInsights(filter, by);
  const onBy = (next: Facet) => void set({ by: next });
  if (insights.isError) return <Failure error={insights.error} onRetry={insights.refetch} />;
  if (insights.data === undefined) return <Loading />;
  return (
    <>
      <SumsSection insights={insights.data} onBy={onBy} />
      <DistributionSection distributions={insights.data.distributions} />
      <TrustSection rows={insights.data.trust} />
    </>
  );
}

interface FailureProps {
  readonly error: Error;
  readonly onRetry: () => void;
}

/** Why what the index knows could not be had. */
function Failure({ error, onRetry }: FailureProps) {
  const action = useTranslations("common.action");
  const errorText = useErrorText();
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3 px-4 py-4 text-sm">
      <p className="text-danger">{errorText(error)}</p>
      <Button onClick={onRetry}>{action("retry")}</Button>
    </div>
  );
}

function Loading() {
  const t = useTranslations("insights");
  return (
    <div role="status" aria-label={t("loading")} className="flex flex-col gap-3 p-4">
      <Skeleton className="h-8 w-80 max-w-full" />
      <Skeleton className="h-40 w-full" />
    </div>
  );
}

function Nothing() {
  const t = useTranslations("insights");
  return <Notice role="status" title={t("none")} body={t("noneBody")} />;
}
