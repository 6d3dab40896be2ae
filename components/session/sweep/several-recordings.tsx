import { parseAsArrayOf, parseAsString, useQueryState } from "nuqs";
import { useMemo, useState } from "react";
import { useTranslations } from "use-intl";
import { UnderWayStatus } from "@/components/format/under-way";
import { useFormat } from "@/components/format/use-format";
import { useErrorText } from "@/components/hooks/use-error-text";
import { rowViews, useSessions } from "@/components/sessions/all-sessions";
import type { RowView } from "@/components/sessions/row-view";
import { Button } from "@/components/ui/button";
import { Choice } from "@/components/ui/choice";
import { cn } from "@/components/ui/cn";
import { MAX_REPLAYS, type SweepSize, sweepSize } from "@/lib/core/analysis/grid";
import type { Metric } from "@/lib/core/metrics/metric";
import { metricsThere, SWEPT_METRICS } from "@/lib/core/metrics/values";
import { useReplay, useSession } from "../shared/state/stores";
import { REPLAY_PARSERS } from "../shared/state/url-state";
import { rangeProblem } from "./axes";
import { CountedRemarks } from "./counted-remarks";
import { useProgressText } from "./map-head";
import { PointCharts } from "./point-charts";
import { RecordingsTable } from "./recordings-table";
import { useSweepData } from "./sweep-data";
import { type LeftOut, type Several, type SummedPoints, type SweptAlike, useSeveral } from "./use-several";
import { asked } from "./use-sweep";
import { useSweepWords } from "./use-sweep-words";

/** The sessions selected in the list, next to the page's own. */
const AMONG = parseAsArrayOf(parseAsString).withDefault([]);

/** The same sweep over other recordings of the list, summed up. A button starts it, and the server runs it. */
export function SeveralRecordings() {
  const t = useTranslations("sweep.several");
  const { id } = useSession("id");
  const sessions = useSessions();
  const [among] = useQueryState("with", AMONG);
  const scopes = useMemo(() => scopesOf(rowViews(sessions.data), id, among), [sessions.data, id, among]);
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const scope = SCOPES.find((one) => one === chosen && scopes.has(one)) ?? [...scopes.keys()][0];
  const ids = scope === undefined ? [] : (scopes.get(scope) ?? []);
  const wanted = useWanted();
  const size = wanted === undefined ? undefined : sweepSize(wanted.vary, ids.length);
  const { several, start, stop } = useSeveral();
  if (scope === undefined) return null;
  const running = several.state === "running";
  return (
    <section aria-labelledby="sweep-several" aria-busy={running} className="border-t border-line" data-testid="several">
      <div className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2">
        <h2 id="sweep-several" className="font-semibold">
          {t("title")}
        </h2>
        <Choice
          label={t("scope")}
          value={scope}
          options={[...scopes].map(([one, { length }]) => [one, t(`scopes.${one}`, { count: length })])}
          onChange={setChosen}
          className="w-56 max-w-full"
        />
        {running ? (
          <Button onClick={stop}>{t("stop")}</Button>
        ) : (
          <Button
            disabled={wanted === undefined || size?.isTooLarge}
            onClick={() => wanted !== undefined && void start(ids, wanted)}
          >
            {t("start", { count: ids.length })}
          </Button>
        )}
        <Status several={several} />
      </div>
      {size?.isTooLarge && <TooLarge size={size} />}
      {several.state === "done" && <Result several={several} stale={!answers(several.wanted, wanted)} />}
    </section>
  );
}

function TooLarge({ size: { points, recordings, replays } }: { readonly size: SweepSize }) {
  const t = useTranslations("sweep.several");
  const format = useFormat();
  const counts = { points: format.count(points), recordings: format.count(recordings), replays: format.count(replays) };
  return (
    <p role="status" className="max-w-180 px-4 pb-2 text-sm text-t2" data-testid="several-too-large">
      {t("tooLarge", { ...counts, most: format.count(MAX_REPLAYS) })}
    </p>
  );
}

/** Settings for every recording: the axes, and changes in the replay panel. Unset values are each recording's own defaults. */
function useWanted(): SweptAlike | undefined {
  const { axes, metric } = useSweepData();
  const { choice, terms } = useReplay("choice", "terms");
  const { estimator } = useSession(({ counted }) => counted);
  const [counting] = useQueryState("counting", REPLAY_PARSERS.counting);
  if (axes.length === 0 || axes.some((axis) => rangeProblem(axis) !== undefined)) return undefined;
  const varied = new Set(axes.map(({ range }) => range.key));
  const { policy, preset, settings, changed, window } = choice;
  const fixed = Object.entries(settings).filter(([key]) => changed.has(key) && !varied.has(key));
  return {
    policy: policy.id,
    preset,
    estimator,
    // Without a selected counting mode, each recording uses its own default.
    ...(counting === null ? {} : { counting }),
    ...(window.source === "user" ? { window: window.tokens } : {}),
    ...terms,
    settings: Object.fromEntries(fixed),
    vary: axes.map(({ range }) => ({ ...range })),
    ...asked(metric, axes),
  };
}

/** True if a sweep shows the current choices: it may contain more. */
function answers({ regret, ...of }: SweptAlike, wanted: SweptAlike | undefined): boolean {
  const { regret: wantsRegret, ...others } = wanted ?? { regret: undefined };
  return JSON.stringify(of) === JSON.stringify(others) && (regret === true || wantsRegret !== true);
}

function Status({ several }: { readonly several: Several }) {
  const t = useTranslations("sweep.several");
  const progress = useProgressText();
  const errorText = useErrorText();
  return (
    <UnderWayStatus
      testId="several-status"
      failure={several.state === "failed" ? errorText(several.error) : undefined}
      running={several.state === "running" ? progress(several.done, several.total, t("running")) : undefined}
    >
      {several.state === "done" && t("done", { count: several.result.recordings })}
    </UnderWayStatus>
  );
}

interface ResultProps {
  readonly several: Extract<Several, { state: "done" }>;
  /** True if the settings have changed since. */
  readonly stale: boolean;
}

function Result({ several, stale }: ResultProps) {
  const t = useTranslations("sweep.several");
  const { axes } = useSweepData();
  const { choice } = useReplay("choice");
  const { result, recordings, leftOut, wanted } = several;
  // The table's columns are the current axes, so points on other axes do not fit into it.
  const isOnAxes =
    wanted.policy === choice.policy.id && wanted.vary.every(({ key }) => axes.some(({ spec }) => spec.key === key));
  return (
    <div className={cn("transition-opacity", stale && "opacity-60")}>
      <p className="max-w-180 px-4 pb-2 text-sm text-t2">{stale ? t("stale") : <Summed points={result.points} />}</p>
      <CountedRemarks rows={recordings.flatMap(({ rows }) => rows)} several />
      <Lacked result={result} />
      {leftOut.length > 0 && <NotSwept leftOut={leftOut} />}
      {result.recordings > 0 && isOnAxes && (
        <>
          <PointCharts shown={result} label={t("table")} testId="several-" />
          <RecordingsTable shown={result} recordings={recordings} wanted={wanted} />
        </>
      )}
    </div>
  );
}

/** Explains how each metric combines several recordings. */
function Summed({ points }: Pick<SummedPoints, "points">) {
  const t = useTranslations("sweep.several");
  const words = useSweepWords();
  const format = useFormat();
  const there = metricsThere(SWEPT_METRICS, points);
  const names = (over: Metric["over"]) =>
    format.list(there.filter((metric) => metric.over === over).map(({ key }) => words.metric(key)));
  const summed = t("summed", { most: names("most"), mean: names("mean") });
  const metrics = names("none");
  return metrics === "" ? summed : `${summed} ${t("notSummed", { metrics })}`;
}

/** The metrics that some recordings lack, and the number of these. */
function Lacked({ result: { lacked, recordings } }: { readonly result: SummedPoints }) {
  const t = useTranslations("sweep.several");
  const words = useSweepWords();
  if (lacked.length === 0) return null;
  return (
    <ul className="max-w-180 px-4 pb-2 text-sm text-t2" data-testid="several-lacked">
      {lacked.map(({ metric: { key }, always, sometimes }) => (
        <li key={key}>
          {always.size > 0 && t("leftOutOf", { metric: words.metric(key), count: always.size, all: recordings })}{" "}
          {sometimes > 0 && t("lacked", { metric: words.metric(key), count: sometimes, all: recordings })}
        </li>
      ))}
    </ul>
  );
}

function NotSwept({ leftOut }: { readonly leftOut: readonly LeftOut[] }) {
  const t = useTranslations("sweep.several");
  const names = new Map(rowViews(useSessions().data).map((row) => [row.id, row.title]));
  return (
    <details className="px-4 pb-2 text-sm">
      <summary>{t("leftOut", { count: leftOut.length })}</summary>
      <ul className="list-disc pl-5 text-t2">
        {leftOut.map(({ session, detail }) => (
          <li key={session} className="break-words">
            {t("leftOutOne", { name: names.get(session) ?? "", detail })}
          </li>
        ))}
      </ul>
    </details>
  );
}

const SCOPES = ["chosen", "project", "agent", "all"] as const;
type Scope = (typeof SCOPES)[number];

/** The most recordings of one sweep. Source: `sweepRequest` of the contract. */
const MAX_CHOSEN = 2000;

/**
 * The sessions of each scope, the page's session first: selected in the list, of the same project, of the same agent, or all. Unread sessions and
 * copies of others are left out. A scope with the same sessions as the one before it is left out too.
 */
export function scopesOf(
  rows: readonly RowView[],
  id: string,
  chosen: readonly string[] = [],
): ReadonlyMap<Scope, readonly string[]> {
  const own = rows.find((row) => row.id === id);
  const usable = rows.filter((row) => row.id === id || (isRead(row) && row.origin?.kind !== "copy-of"));
  const among: Readonly<Record<Exclude<Scope, "chosen">, (row: RowView) => boolean>> = {
    project: ({ project }) => project !== null && project === own?.project,
    agent: ({ agentId }) => agentId !== null && agentId === own?.agentId,
    all: () => true,
  };
  const scopes = new Map<Scope, readonly string[]>();
  // A selection in the list is deliberate, copies included.
  if (chosen.some((one) => one !== id)) scopes.set("chosen", [...new Set([id, ...chosen])].slice(0, MAX_CHOSEN));
  let last = 1;
  for (const scope of SCOPES) {
    if (scope === "chosen") continue;
    const others = usable.filter((row) => row.id !== id && among[scope](row)).map((row) => row.id);
    const ids = own === undefined ? [] : [id, ...others].slice(0, MAX_CHOSEN);
    if (ids.length <= last) continue;
    scopes.set(scope, ids);
    last = ids.length;
  }
  return scopes;
}

function isRead({ state }: RowView): boolean {
  return state === "ready" || state === "no-usage";
}
