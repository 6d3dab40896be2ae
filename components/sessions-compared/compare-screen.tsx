"use client";

import { useQueries } from "@tanstack/react-query";
import Link from "next/link";
import { useQueryStates } from "nuqs";
import { useRef } from "react";
import { useTranslations } from "use-intl";
import { useArrival } from "@/components/hooks/use-arrival";
import { useErrorText } from "@/components/hooks/use-error-text";
import { RunLetter, RunLine } from "@/components/session/compare/run-mark";
import { MOST_COMPARED } from "@/components/sessions/selection";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { ToggleGroup } from "@/components/ui/toggle-group";
import { getReplay, getSession } from "@/lib/api/client";
import { CompareChart } from "./compare-chart";
import { COMPARE_PARSERS } from "./compare-params";
import { ACROSS, type ComparedSession, nameOf, UPWARDS } from "./compared-sessions";
import { FigureTable } from "./figure-table";

/** Sessions side by side, as they were recorded: their contexts on one pair of axes, and their figures. The address holds which. */
export function CompareScreen() {
  const t = useTranslations("sessions.compare");
  const page = useRef<HTMLElement>(null);
  useArrival(page, true);
  const [{ sessions: asked, across, up }, set] = useQueryStates(COMPARE_PARSERS);
  const ids = [...new Set(asked)].slice(0, MOST_COMPARED);
  const { sessions, failures, isLoading, retry } = useCompared(ids);
  const remove = (id: string) => void set({ sessions: ids.filter((one) => one !== id) });
  return (
    <main ref={page} id="content" tabIndex={-1} aria-label={t("title")} className="min-w-0 pb-6">
      <div className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-panel px-4 py-2">
        <h1 className="grow text-lg font-semibold">{t("title")}</h1>
        <ToggleGroup
          label={t("acrossLabel")}
          value={across}
          options={ACROSS.map((one) => [one, t(`acrossShort.${one}`)] as const)}
          onChange={(value) => void set({ across: value })}
        />
        <ToggleGroup
          label={t("upLabel")}
          value={up}
          options={UPWARDS.map((one) => [one, t(`up.${one}`)] as const)}
          onChange={(value) => void set({ up: value })}
        />
      </div>
      <Failures failures={failures} onRetry={retry} onRemove={remove} />
      {ids.length === 0 && (
        <Notice role="status" title={t("none")} body={t("noneBody")}>
          <Button asChild>
            <Link href="/">{t("choose")}</Link>
          </Button>
        </Notice>
      )}
      {isLoading && sessions.length === 0 && (
        <div role="status" aria-label={t("loading")} className="p-4">
          <Skeleton className="h-[clamp(220px,42dvh,520px)] w-full" />
        </div>
      )}
      {sessions.length > 0 && (
        <>
          <Legend sessions={sessions} />
          <div className="px-4 pb-3">
            <CompareChart sessions={sessions} across={across} upwards={up} />
          </div>
          <FigureTable sessions={sessions} onRemove={remove} />
          <p className="px-4 pt-2 text-sm text-t3">{t("note")}</p>
        </>
      )}
    </main>
  );
}

/** What is known of sessions as they were recorded, in their order. */
function useCompared(ids: readonly string[]) {
  const answers = useQueries({
    queries: ids.map((id) => ({
      queryKey: ["compared", id],
      queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Omit<ComparedSession, "place">> => {
        const [facts, replay] = await Promise.all([
          getSession(id, signal),
          getReplay(id, { policy: "recorded" }, signal),
        ]);
        return { id, facts, replay };
      },
    })),
  });
  return {
    sessions: answers.flatMap(({ data }, place): ComparedSession[] => (data === undefined ? [] : [{ ...data, place }])),
    failures: answers.flatMap(({ error }, index) => (error === null ? [] : { id: ids[index] ?? "", error })),
    isLoading: answers.some((answer) => answer.isLoading),
    retry: () => {
      for (const answer of answers) if (answer.isError) void answer.refetch();
    },
  };
}

interface FailuresProps {
  readonly failures: readonly { readonly id: string; readonly error: Error }[];
  readonly onRetry: () => void;
  readonly onRemove: (id: string) => void;
}

/** The sessions that could not be had, each with why, and what can be done about it. */
function Failures({ failures, onRetry, onRemove }: FailuresProps) {
  const t = useTranslations("sessions.compare");
  const action = useTranslations("common.action");
  const errorText = useErrorText();
  if (failures.length === 0) return null;
  return (
    <div role="alert" className="px-4 pt-3 text-sm">
      <ul>
        {failures.map(({ id, error }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-2">
            <span className="text-danger">{errorText(error)}</span>
            <code className="break-all text-t2">{id}</code>
            <Button variant="ghost" aria-label={t("removeOne", { title: id })} onClick={() => onRemove(id)}>
              {t("remove")}
            </Button>
          </li>
        ))}
      </ul>
      <Button className="mt-1" onClick={onRetry}>
        {action("retry")}
      </Button>
    </div>
  );
}

/** Which line is whose. */
function Legend({ sessions }: { readonly sessions: readonly ComparedSession[] }) {
  const t = useTranslations("sessions.compare");
  return (
    <ul aria-label={t("legend")} className="flex flex-wrap gap-x-4 gap-y-1 px-4 py-2.5">
      {sessions.map((session) => (
        <li key={session.id} className="flex max-w-72 items-center gap-2 text-sm">
          <RunLine index={session.place} />
          <RunLetter index={session.place} />
          <span className="truncate normal-nums">{nameOf(session)}</span>
        </li>
      ))}
    </ul>
  );
}
