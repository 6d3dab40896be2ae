"use client";

import { useQueries } from "@tanstack/react-query";
import Link from "next/link";
import { parseAsArrayOf, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { memo, useRef } from "react";
import { CartesianGrid, Line, LineChart, Tooltip, XAxis, YAxis } from "recharts";
import { useTranslations } from "use-intl";
import { AXIS, ChartBox, TOOLTIP } from "@/components/charts/chart-box";
import { ExportMenu } from "@/components/export/export-menu";
import { useFormat } from "@/components/format/use-format";
import { useTitle } from "@/components/format/use-title";
import { useArrival } from "@/components/hooks/use-arrival";
import { useErrorText } from "@/components/hooks/use-error-text";
import { RunLetter, RunLine } from "@/components/session/shared/runs/run-mark";
import { runStyle } from "@/components/session/shared/runs/run-style";
import { MAX_COMPARED } from "@/components/sessions/use-list-state";
import { Button } from "@/components/ui/button";
import { Notice, Skeleton } from "@/components/ui/status";
import { ToggleGroup } from "@/components/ui/toggle-group";
import { ask } from "@/lib/queries/client/client";
import {
  AXIS_UNITS,
  type AxisUnit,
  type ComparedSession,
  differencesFromList,
  lineOf,
  nameOf,
  seriesOf,
  UPWARDS,
  type Upwards,
} from "./compared-sessions";
import { MetricTable } from "./metric-table";

/** Recorded sessions side by side: their contexts on one pair of axes, and their metrics. The address names them. */
export function CompareScreen() {
  const t = useTranslations("sessions.compare");
  const page = useRef<HTMLElement>(null);
  useArrival(page, true);
  const [{ sessions: asked, across, up }, set] = useQueryStates(COMPARE_PARSERS);
  const ids = [...new Set(asked)].slice(0, MAX_COMPARED);
  const { sessions, failures, isLoading, retry } = useCompared(ids);
  const remove = (id: string) => void set({ sessions: ids.filter((one) => one !== id) });
  return (
    <main
      ref={page}
      id="content"
      tabIndex={-1}
      aria-label={t("title")}
      className="min-h-0 min-w-0 grow overflow-y-auto pb-6"
    >
      <div className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-panel px-4 py-2">
        <h1 className="grow text-lg font-semibold">{t("title")}</h1>
        <ToggleGroup
          label={t("acrossLabel")}
          value={across}
          options={AXIS_UNITS.map((one) => [one, t(`acrossShort.${one}`)] as const)}
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
          <Legend sessions={sessions} loading={isLoading} />
          <div className="px-4 pb-3">
            <CompareChart sessions={sessions} across={across} upwards={up} />
          </div>
          <MetricTable sessions={sessions} onRemove={remove} />
          <p className="px-4 pt-2 text-sm text-t3">{t("note")}</p>
          <DifferencesFromList sessions={sessions} />
        </>
      )}
    </main>
  );
}

/** Sentences for the sessions whose cost in the list covers other requests. */
function DifferencesFromList({ sessions }: { readonly sessions: readonly ComparedSession[] }) {
  const t = useTranslations("sessions.compare");
  const format = useFormat();
  return sessions.flatMap(differencesFromList).map(({ kind, count, place, usd }) => (
    <p key={`${place} ${kind}`} className="px-4 pt-1 text-sm text-t2" data-testid="difference-from-list">
      {t(kind, { letter: runStyle(place).letter, count, usd: format.usd(usd) })}
    </p>
  ));
}

/** Data of the recorded sessions, in their order. */
function useCompared(ids: readonly string[]) {
  const answers = useQueries({
    queries: ids.map((id) => ({
      queryKey: ["compared", id],
      queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Omit<ComparedSession, "place">> => {
        const [facts, replay] = await Promise.all([
          ask("session", { id }, signal),
          ask("replay", { id, body: { policy: "recorded" } }, signal),
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

/** The sessions that could not be loaded, each with the reason and possible next steps. */
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

interface LegendProps {
  readonly sessions: readonly ComparedSession[];
  /** True while others are loading. */
  readonly loading: boolean;
}

function Legend({ sessions, loading }: LegendProps) {
  const t = useTranslations("sessions.compare");
  const written = useTitle();
  return (
    <ul aria-label={t("legend")} className="flex flex-wrap gap-x-4 gap-y-1 px-4 py-2.5">
      {sessions.map((session) => (
        <li key={session.id} className="flex max-w-72 items-center gap-2 text-sm">
          <RunLine index={session.place} />
          <RunLetter index={session.place} />
          <span className="truncate normal-nums">{written(nameOf(session))}</span>
        </li>
      ))}
      {loading && <li className="text-sm text-t2">{t("loadingMore")}</li>}
    </ul>
  );
}

interface CompareChartProps {
  readonly sessions: readonly ComparedSession[];
  readonly across: AxisUnit;
  readonly upwards: Upwards;
}

const MARGIN = { top: 12, right: 16, bottom: 4, left: 4 };

/** The context of every session as steps on one pair of axes. Its numbers are in the table below. */
const CompareChart = memo(function CompareChart({ sessions, across, upwards }: CompareChartProps) {
  const t = useTranslations("sessions.compare");
  const format = useFormat();
  const figure = useRef<HTMLElement>(null);
  const writeX = (x: number) => (across === "share" ? format.percent(x) : format.count(x));
  const writeY = (y: number) => (upwards === "window" ? format.percent(y) : format.short(y));
  return (
    <figure ref={figure} aria-label={t("chart")} className="min-w-0">
      <ChartBox
        label={t("chartOf", { count: sessions.length })}
        className="h-[clamp(220px,42dvh,520px)] overflow-hidden"
      >
        {({ width, height }) => (
          <LineChart width={width} height={height} margin={MARGIN} accessibilityLayer={false}>
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis
              type="number"
              dataKey="x"
              domain={across === "share" ? [0, 1] : [0, "dataMax"]}
              allowDuplicatedCategory={false}
              tickFormatter={writeX}
              {...AXIS}
              height={22}
            />
            <YAxis
              type="number"
              dataKey="y"
              domain={[0, upwards === "window" ? 1 : "auto"]}
              tickFormatter={writeY}
              {...AXIS}
              width={44}
            />
            <Tooltip
              labelFormatter={(x) => (typeof x === "number" ? writeX(x) : "")}
              formatter={(y) => (typeof y === "number" ? writeY(y) : "")}
              {...TOOLTIP}
            />
            {sessions.map((session) => {
              const { letter, colour, dash } = runStyle(session.place);
              return (
                <Line
                  key={session.id}
                  name={letter}
                  data={lineOf(session, across, upwards)}
                  dataKey="y"
                  type="stepAfter"
                  stroke={colour}
                  strokeWidth={1.75}
                  {...(dash !== undefined && { strokeDasharray: dash })}
                  dot={false}
                  isAnimationActive={false}
                />
              );
            })}
          </LineChart>
        )}
      </ChartBox>
      <figcaption className="relative text-center text-xs text-t3">
        {t(`across.${across}`)}
        <span className="absolute -top-1 right-3">
          <ExportMenu
            name={t("chart")}
            note={format.clauses(sessions.map(nameIn))}
            image={figure}
            table={() => ({ heads: [t("across.request"), ...sessions.map(nameIn)], rows: seriesOf(sessions) })}
          />
        </span>
      </figcaption>
    </figure>
  );
});

/** A session in the legend: its letter and its title. */
function nameIn(session: ComparedSession): string {
  return `${runStyle(session.place).letter} ${nameOf(session)}`;
}

/** The address of the page. */
const COMPARE_PARSERS = {
  sessions: parseAsArrayOf(parseAsString).withDefault([]),
  across: parseAsStringLiteral(AXIS_UNITS).withDefault("request"),
  up: parseAsStringLiteral(UPWARDS).withDefault("tokens"),
};
