import Link from "next/link";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { ExportedTable } from "@/components/export/exported-table";
import { metricColumn } from "@/components/format/metric-column";
import { sessionHref } from "@/components/format/relation";
import { useFormat } from "@/components/format/use-format";
import { Value } from "@/components/format/value";
import { rowViews, useSessions } from "@/components/sessions/all-sessions";
import type { RowView } from "@/components/sessions/row-view";
import { Button } from "@/components/ui/button";
import { ScrollRegion } from "@/components/ui/table";
import type { SweepSet } from "@/lib/core/analysis/grid";
import { bandsOfTotals, metricsOfRow } from "@/lib/core/metrics/answered";
import { type MetricBands, metricsThere, SWEPT_METRICS, type SweptMetrics } from "@/lib/core/metrics/values";
import type { SweepRow } from "@/lib/queries/contract/types";
import { varyText } from "./axes";
import { type ShownPoints, tableRows } from "./points";
import { useSweepData } from "./sweep-data";
import type { SweptAlike, SweptRecording } from "./use-several";
import { useSweepWords } from "./use-sweep-words";

/** Number of rows shown at first. */
const SHOWN = 100;

interface RecordingsTableProps {
  readonly shown: ShownPoints;
  readonly recordings: readonly SweptRecording[];
  readonly wanted: SweptAlike;
}

/** The metrics of one point on each recording: the point in the replay panel, else the first point of the front. */
export function RecordingsTable({ shown, recordings, wanted }: RecordingsTableProps) {
  const t = useTranslations("sweep.recordings");
  const words = useSweepWords();
  const { isCurrent } = useSweepData();
  const format = useFormat();
  const sessions = useSessions();
  const [all, setAll] = useState(false);
  const current = shown.points.findIndex(isCurrent);
  const at = current === -1 ? (tableRows(shown, false)[0]?.index ?? 0) : current;
  const set = shown.points[at]?.set ?? {};
  const rows = recordingRows(recordings, at, rowViews(sessions.data));
  const query = sweepQuery(wanted, set);
  const onFront = rows.filter((row) => row.onFront === true).length;
  const withChoice = rows.filter((row) => row.onFront !== null).length;
  return (
    <section aria-label={t("title")} className="border-t border-line">
      <div className="flex min-h-9 flex-wrap items-center gap-x-4 px-4 py-1">
        <h3 className="font-semibold">{t("at", { point: words.set(set) })}</h3>
        <p className="grow text-sm text-t2">{t("onFront", { count: onFront, all: withChoice })}</p>
        {rows.length > SHOWN && (
          <Button variant="ghost" aria-pressed={all} onClick={() => setAll(!all)}>
            {all ? t("showLargest", { count: SHOWN }) : t("showAll", { count: rows.length })}
          </Button>
        )}
      </div>
      <ScrollRegion
        aria-label={t("title")}
        data-testid="recordings-table"
        className="scroll-hint relative overflow-x-auto"
      >
        <ExportedTable
          name={t("title")}
          allRows={rows}
          rows={rows.slice(0, all ? rows.length : SHOWN)}
          rowKey={({ session }) => session}
          rowProps={({ session }) => ({ "data-session": session })}
          columns={[
            {
              head: t("recording"),
              namesRow: true,
              value: ({ title }) => title,
              className: "pl-4",
              cellClass: "max-w-72",
              cell: ({ session, title }) => (
                <Link
                  href={`${sessionHref(session)}?${query}`}
                  prefetch={false}
                  title={title}
                  className="block truncate normal-nums hover:underline"
                >
                  {title}
                </Link>
              ),
            },
            {
              head: t("requests"),
              numeric: true,
              cell: ({ requests }) => format.count(requests),
              value: ({ requests }) => requests,
            },
            {
              head: t("recordedSent"),
              numeric: true,
              cellClass: "whitespace-nowrap",
              cell: ({ recordedSent }) => <Sum value={recordedSent} />,
              value: ({ recordedSent }) => recordedSent,
            },
            {
              head: words.metric("tokensSent"),
              numeric: true,
              cellClass: "whitespace-nowrap",
              cellProps: () => ({ "data-metric": "tokensSent" }),
              cell: ({ metrics }) => <Sum value={metrics.tokensSent} />,
              value: ({ metrics }) => metrics.tokensSent,
            },
            {
              head: t("change"),
              numeric: true,
              cellClass: "whitespace-nowrap text-t2",
              cell: ({ change }) => <Value>{change === null ? null : format.change(change, 1)}</Value>,
              value: ({ change }) => change,
            },
            ...metricsThere(OTHER_METRICS, rows).map((metric) =>
              metricColumn(metric, words.metric(metric.key), (row: RecordingRow) => row),
            ),
            {
              head: t("front"),
              className: "pr-4",
              cellClass: "whitespace-nowrap text-t2",
              value: ({ onFront }) => onFront,
              cell: ({ onFront }) => (onFront === null ? t("allAlike") : onFront && t("isOnFront")),
            },
          ]}
        />
      </ScrollRegion>
    </section>
  );
}

/** All metrics except the tokens sent, which are next to the recorded ones. */
const OTHER_METRICS = SWEPT_METRICS.filter(({ key }) => key !== "tokensSent");

/** A sum of tokens, shortened, with the exact value on hover. */
function Sum({ value }: { readonly value: number | null }) {
  const format = useFormat();
  return (
    <Value exact={value === null ? undefined : format.count(value)}>{value === null ? null : format.sum(value)}</Value>
  );
}

/** The metrics of one point on one recording. */
interface RecordingRow {
  readonly session: string;
  /** Title as in the list; the file's name if the list no longer has the session. */
  readonly title: string;
  /** Tokens that the recording itself sent, as in the list; `null` without usage. */
  readonly recordedSent: number | null;
  readonly requests: number;
  /** The point's metrics on this recording. */
  readonly metrics: SweptMetrics;
  readonly bands: MetricBands;
  /** Difference as a share of the recording's tokens; `null` without usage, or if the estimate is not adjusted to it. */
  readonly change: number | null;
  /** True if the point is on this recording's own front; `null` if all its points are. */
  readonly onFront: boolean | null;
}

/**
 * A point on every recording, the recordings that send most first.
 * @param at index of the point among the sweep's
 */
export function recordingRows(
  recordings: readonly SweptRecording[],
  at: number,
  listed: readonly RowView[],
): readonly RecordingRow[] {
  const views = new Map(listed.map((view) => [view.id, view]));
  return recordings
    .flatMap(({ session, rows }) => {
      const row = rows[at];
      return row === undefined
        ? []
        : [
            toRow(
              session,
              row,
              rows.some(({ pareto }) => !pareto),
              views.get(session),
            ),
          ];
    })
    .sort((a, b) => sentOf(b) - sentOf(a));
}

/** Sort key: the tokens sent. A row without them comes last. */
function sentOf({ metrics }: RecordingRow): number {
  return metrics.tokensSent ?? -1;
}

function toRow(session: string, row: SweepRow, hasChoice: boolean, view: RowView | undefined): RecordingRow {
  const metrics = metricsOfRow(row);
  const { tokensSent } = metrics;
  const recordedSent = view?.sent ?? null;
  const isComparable = recordedSent !== null && recordedSent > 0 && tokensSent !== null && row.basis !== "estimate";
  return {
    session,
    title: view?.title ?? row.file,
    requests: row.totals.requests,
    recordedSent,
    metrics,
    bands: bandsOfTotals(row.totals),
    change: isComparable ? (tokensSent - recordedSent) / recordedSent : null,
    onFront: hasChoice ? row.pareto : null,
  };
}

/** The address query that opens the same sweep for another session, with its replay panel set to a point. */
export function sweepQuery({ settings, vary, ...alike }: SweptAlike, set: SweepSet) {
  const { policy, preset, counting, estimator, window, ttl, on, priceDate } = alike;
  const single = { tab: "sweep", policy, preset, counting, estimator, window, ttl, on, priceDate };
  const given = Object.entries(single).filter(([, value]) => value !== undefined && value !== null);
  const settled = Object.entries({ ...settings, ...set }).map(([key, value]) => [`set.${key}`, value]);
  const ranges = [["vary", vary.map(varyText).join("~")]];
  return new URLSearchParams(
    [...given, ...settled, ...ranges].map(([key, value]) => [`${key}`, `${value}`]),
  ).toString();
}
