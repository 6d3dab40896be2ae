"use client";

import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useSearchParams } from "next/navigation";
import { useQueryStates } from "nuqs";
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { Value } from "@/components/format/value";
import { useArrival } from "@/components/hooks/use-arrival";
import { useErrorText } from "@/components/hooks/use-error-text";
import { useSettled } from "@/components/hooks/use-settled";
import { FilterChips } from "@/components/sessions/filter-chips";
import { FacetSheet } from "@/components/sessions/filter-row";
import { filterRequest, readSessions } from "@/components/sessions/filters";
import { useListState } from "@/components/sessions/use-list-state";
import { isIndexing, SESSIONS_KEY, useChoices, useIndexing } from "@/components/sessions/use-session-list";
import { useOwnPolicies } from "@/components/settings/own-policies";
import { Button } from "@/components/ui/button";
import { Notice, Skeleton } from "@/components/ui/status";
import { type Column, ScrollRegion, Table } from "@/components/ui/table";
import { agentName } from "@/lib/agents/agents";
import { loadAllAgents } from "@/lib/agents/policies";
import type { Facet } from "@/lib/core/base/facet-keys";
import { ownTimeZone } from "@/lib/core/base/time-zone";
import { ask, getInsights, type SessionsFilter } from "@/lib/queries/client/client";
import { askPolicies } from "@/lib/queries/client/event-answers";
import type { InsightsAnswer, PoliciesAnswer, PoliciesRequest } from "@/lib/queries/contract/types";
import { AdviceSection } from "./advice-section";
import { adviceSetup, advisedPolicies } from "./advice-setup";
import { AskingSection } from "./asking-section";
import { DeletedSoon } from "./deleted-soon";
import { DistributionSection } from "./distribution-section";
import { FindingsSection } from "./findings-section";
import { PoliciesTable } from "./policies-table";
import { type AskedSelection, askedSelection, INSIGHTS_PARSERS, sessionsHref } from "./selection";
import { SumsSection } from "./sums-section";
import { useAnswer } from "./use-answer";

/** Maximum number of ticked sessions whose findings are shown: more would make the address too long for a server. */
const MAX_TICKED = 200;

const OutcomeCard = lazy(async () => ({ default: (await import("./outcome-card")).OutcomeCard }));

/** Pause in typing before a request is sent. */
const PAUSE_MS = 150;

/** Insights over the sessions that the address selects: recommended setting, comparison of policies, sums, distributions, reliability. */
export function InsightsScreen() {
  const t = useTranslations("insights");
  const page = useRef<HTMLElement>(null);
  useArrival(page, true);
  const list = useListState();
  const isReading = useReadOn();
  // User policies are offered once they are loaded.
  useOwnPolicies();
  const search = useSearchParams();
  const filters = useSettled(list.filters, PAUSE_MS);
  const ticked = list.selection.ids;
  const asked = useMemo(() => filterRequest(filters), [filters]);
  const { data: choices, error, refetch } = useChoices(asked);
  const agents = useQuery({
    queryKey: ["agents"],
    queryFn: () => loadAllAgents().then(() => true),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const selection = useMemo(() => askedSelection(filters, ticked), [filters, ticked]);
  // Findings are about the ticked sessions, whatever the filters.
  const about = useMemo(
    () => (ticked.length === 0 ? asked : { where: ticked.map((id) => `session=${id}`) }),
    [asked, ticked],
  );
  const count = ticked.length > 0 ? ticked.length : choices && readSessions(choices);
  const copies = choices?.total.copies ?? 0;
  // The policy whose thresholds a finding's button tries.
  const [tried, setTried] = useState<string | null>();
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
          {count !== undefined && t(ticked.length > 0 ? "selected" : "sessions", { count, copies })}
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
      ) : agents.error !== null ? (
        <Failure error={agents.error} onRetry={agents.refetch} />
      ) : choices === undefined || agents.data === undefined ? (
        <Loading />
      ) : count === 0 ? (
        <Nothing />
      ) : (
        <>
          {ticked.length <= MAX_TICKED && <Findings filter={about} onTry={setTried} />}
          {ticked.length === 0 && <Applied filter={asked} />}
          <AdviceSection selection={selection} agent={agent} tried={tried} onTried={() => setTried(undefined)} />
          <PoliciesSection selection={selection} agent={agent} />
          {ticked.length === 0 ? (
            <Recorded filter={asked} />
          ) : (
            <p className="px-4 py-4 text-sm text-t2" data-testid="sums-of-all">
              {t(ticked.length <= MAX_TICKED ? "sumsOfAll" : "findingsOfAll", { most: MAX_TICKED })}
            </p>
          )}
        </>
      )}
    </main>
  );
}

interface FindingsProps {
  readonly filter: SessionsFilter;
  readonly onTry: (policy: string | null) => void;
}

/** Findings of the index over the matching sessions. A failure of the same answer is shown with the sums. */
function Findings({ filter, onTry }: FindingsProps) {
  const [{ by }] = useQueryStates(INSIGHTS_PARSERS);
  const { data, isError } = useInsights(filter, by);
  if (isError) return null;
  if (data === undefined) return <Loading />;
  return (
    <>
      <DeletedSoon deleted={data.deletedSoon} />
      <FindingsSection findings={data.findings} onTry={onTry} />
    </>
  );
}

/** Prediction and outcome of applied settings; nothing if none was applied. An error hides it, since the other sections show the error. */
function Applied({ filter }: { readonly filter: ReturnType<typeof filterRequest> }) {
  const { data } = useQuery({
    queryKey: [...SESSIONS_KEY, "outcome", filter],
    queryFn: ({ signal }) => ask("outcome", { search: { ...filter, tz: ownTimeZone() } }, signal),
    placeholderData: keepPreviousData,
  });
  if (data === undefined || data.changes.length + data.damagedLines.length === 0) return null;
  return (
    <Suspense>
      <OutcomeCard answer={data} />
    </Suspense>
  );
}

/** Sums over the recordings by the index, without replays. */
function Recorded({ filter }: { readonly filter: ReturnType<typeof filterRequest> }) {
  const [{ by }, set] = useQueryStates(INSIGHTS_PARSERS);
  const insights = useInsights(filter, by);
  const onBy = (next: Facet) => void set({ by: next });
  if (insights.isError) return <Failure error={insights.error} onRetry={insights.refetch} />;
  // The section of findings already shows that this answer is loading.
  if (insights.data === undefined) return null;
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

interface PoliciesSectionProps {
  readonly selection: AskedSelection;
  /** The agent of most sessions, as in `AdviceSection`. */
  readonly agent: string | null | undefined;
}

/** Every policy over the selected sessions, each compared with the policy selected above. */
function PoliciesSection({ selection, agent }: PoliciesSectionProps) {
  const [params] = useQueryStates(INSIGHTS_PARSERS);
  const { policy, preset } = adviceSetup(params, agent ?? null);
  const { answered, start, stop } = useAnswer<PoliciesRequest, PoliciesAnswer>(askPolicies);
  const others = advisedPolicies()
    .filter((one) => one !== policy)
    .map(({ id }) => ({ policy: id }));
  const runs = [{ policy: policy.id, preset }, ...others, { policy: "none" }];
  const wanted = { ...selection, runs, seed: Math.max(0, params.seed) };
  return (
    <AskingSection
      name="policies"
      answered={answered}
      wanted={agent === undefined && params.policy === null ? undefined : wanted}
      onStart={(asked) => void start(asked)}
      onStop={stop}
    >
      {(answer) => <PoliciesTable answer={answer} />}
    </AskingSection>
  );
}

type Row = InsightsAnswer["trust"][number];

const SHARES = [
  ...(["fidelity", "cacheRule", "predictorPrecision", "predictorRecall", "summaryRecall", "summaryPrecision"] as const),
] as const;
const NOTES = ["estimatorError", "fidelity", "cacheRule", "predictor", "summary"] as const;

/** Reliability of the estimates, by the version of the agent that wrote the sessions. Folded: every finding states its own confidence. */
function TrustSection({ rows }: { readonly rows: readonly Row[] }) {
  const t = useTranslations("insights.trust");
  const format = useFormat();
  const shares = SHARES.map(
    (key): Column<Row> => ({ head: t(key), numeric: true, cell: (row) => <Share share={row[key]} /> }),
  );
  return (
    <details className="px-4 py-4" data-testid="trust">
      <summary>
        <h2 className="inline text-base font-semibold">{t("title")}</h2>
      </summary>
      <p className="max-w-180 pb-2 text-sm text-t2">{t("lead")}</p>
      <ScrollRegion aria-label={t("title")} className="scroll-hint overflow-x-auto">
        <Table
          caption={t("title")}
          rows={rows}
          rowKey={({ agent, version }) => `${agent ?? ""} ${version ?? ""}`}
          columns={[
            {
              head: t("version"),
              namesRow: true,
              cellClass: "whitespace-nowrap",
              cell: (row) => <Version row={row} />,
            },
            { head: t("sessions"), numeric: true, cell: ({ sessions }) => format.count(sessions) },
            {
              head: t("estimatorError"),
              numeric: true,
              cell: ({ estimatorError: error }) => (
                <Value>{error === null ? null : `±\u00a0${format.percent(error)}`}</Value>
              ),
            },
            ...shares,
            {
              head: t("unpriced"),
              numeric: true,
              cell: ({ unpriced, unpricedModels }) => (
                <span title={unpricedModels?.join(", ")}>{format.count(unpriced)}</span>
              ),
            },
            { head: t("damaged"), numeric: true, cell: ({ damagedLines }) => format.count(damagedLines) },
          ]}
        />
      </ScrollRegion>
      <ul className="mt-2 max-w-180 text-xs text-t3">
        {NOTES.map((note) => (
          <li key={note}>{t(`note.${note}`)}</li>
        ))}
      </ul>
    </details>
  );
}

function Version({ row: { agent, version } }: { readonly row: Row }) {
  const t = useTranslations("insights.trust");
  const search = useSearchParams();
  const filter = { ...(agent === null ? {} : { agent }), ...(version === null ? { where: "version=" } : { version }) };
  return (
    <Link href={sessionsHref(search, filter)} prefetch={false} className="underline underline-offset-2">
      {agentName(agent)?.label ?? agent ?? ""} <span className="text-t2">{version ?? t("unknownVersion")}</span>
    </Link>
  );
}

/** A share with its denominator: 3 of 4 is weaker evidence than 300 of 400. */
function Share({ share }: { readonly share: Row["fidelity"] }) {
  const format = useFormat();
  if (share === null || share.whole === 0) return <Value>{null}</Value>;
  return (
    <span className="whitespace-nowrap" title={`${format.count(share.part)} / ${format.count(share.whole)}`}>
      {format.percent(share.part / share.whole)} <span className="text-xs text-t3">/ {format.short(share.whole)}</span>
    </span>
  );
}

/** Sums and distributions over the matching sessions. */
function useInsights(filter: SessionsFilter, by: Facet) {
  return useQuery({
    queryKey: [...SESSIONS_KEY, "insights", filter, by],
    queryFn: ({ signal }) => getInsights(filter, by, signal),
    placeholderData: keepPreviousData,
  });
}

/** Interval in ms at which the data is fetched again while files are being read. */
const REFRESH_MS = 2000;

/**
 * Fetches the shown data again while files are being read, and once when the last one is read, even if that was before the server's first
 * report. Returns true while files may be being read, which includes the time before that report.
 */
function useReadOn(): boolean {
  const client = useQueryClient();
  const event = useIndexing(undefined, 0, 0);
  const isReading = event !== undefined && isIndexing(event);
  const revision = event?.revision;
  useEffect(() => {
    if (!isReading) return;
    const again = () => void client.invalidateQueries({ queryKey: SESSIONS_KEY }, { cancelRefetch: false });
    const timer = setInterval(again, REFRESH_MS);
    return () => clearInterval(timer);
  }, [isReading, client]);
  useEffect(() => {
    // A pending answer may be about an earlier list.
    if (!isReading && revision !== undefined) void client.invalidateQueries({ queryKey: SESSIONS_KEY });
  }, [isReading, revision, client]);
  return event === undefined || (isReading && !event.stopped);
}
