import Link from "next/link";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { FigureValue, Value } from "@/components/format/value";
import { sessionHref } from "@/components/sessions/relation";
import { rowViews, useSessions } from "@/components/sessions/use-sessions";
import { Button } from "@/components/ui/button";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { SWEPT_FIGURES } from "@/lib/core/figures/values";
import type { ShownPoints } from "../shown-points";
import { useSweepData } from "../sweep-data";
import { tableRows } from "../table-rows";
import { useSweepWords } from "../use-sweep-words";
import { type RecordingRow, recordingRows, sweepQuery } from "./recording-rows";
import type { SweptAlike, SweptRecording } from "./swept";

/** How many rows are shown at first. */
const SHOWN = 100;

interface RecordingsTableProps {
  readonly shown: ShownPoints;
  readonly recordings: readonly SweptRecording[];
  readonly wanted: SweptAlike;
}

/** The figures of one point on each recording: the point in the replay panel, else the first point of the front. */
export function RecordingsTable({ shown, recordings, wanted }: RecordingsTableProps) {
  const t = useTranslations("sweep.recordings");
  const words = useSweepWords();
  const { isCurrent } = useSweepData();
  const sessions = useSessions();
  const [all, setAll] = useState(false);
  const current = shown.points.findIndex(isCurrent);
  const at = current === -1 ? (tableRows(shown, false)[0]?.index ?? 0) : current;
  const set = shown.points[at]?.set ?? {};
  const rows = recordingRows(recordings, at, rowViews(sessions.data));
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
      <section
        aria-label={t("title")}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard
        tabIndex={0}
        data-testid="recordings-table"
        className="relative max-h-100 overflow-auto"
      >
        <Table>
          <RecordingsHead />
          <tbody>
            {rows.slice(0, all ? rows.length : SHOWN).map((row) => (
              <RecordingLine key={row.session} row={row} query={sweepQuery(wanted, set)} />
            ))}
          </tbody>
        </Table>
      </section>
    </section>
  );
}

/** All figures except the tokens sent, which stand beside the recorded ones. */
const OTHER_FIGURES = SWEPT_FIGURES.filter(({ key }) => key !== "tokensSent");

function RecordingsHead() {
  const t = useTranslations("sweep.recordings");
  const words = useSweepWords();
  return (
    <thead className="sticky top-0 z-10 bg-bg">
      <tr>
        <TableHead className="pl-4">{t("recording")}</TableHead>
        <TableHead numeric>{t("requests")}</TableHead>
        <TableHead numeric>{t("recordedSent")}</TableHead>
        <TableHead numeric>{words.metric("tokensSent")}</TableHead>
        <TableHead numeric>{t("change")}</TableHead>
        {OTHER_FIGURES.map(({ key }) => (
          <TableHead key={key} numeric>
            {words.metric(key)}
          </TableHead>
        ))}
        <TableHead className="pr-4">{t("front")}</TableHead>
      </tr>
    </thead>
  );
}

function RecordingLine({ row, query }: { readonly row: RecordingRow; readonly query: string }) {
  const t = useTranslations("sweep.recordings");
  const format = useFormat();
  const { recordedSent, figures, change } = row;
  return (
    <TableRow data-session={row.session}>
      <TableHead scope="row" className="max-w-72 pl-4 text-sm font-normal text-t1">
        <Link
          href={`${sessionHref(row.session)}?${query}`}
          prefetch={false}
          title={row.title}
          className="block truncate normal-nums hover:underline"
        >
          {row.title}
        </Link>
      </TableHead>
      <TableCell numeric>{format.count(row.requests)}</TableCell>
      <TableCell numeric className="whitespace-nowrap">
        <Sum value={recordedSent} />
      </TableCell>
      <TableCell numeric className="whitespace-nowrap" data-metric="tokensSent">
        <Sum value={figures.tokensSent} />
      </TableCell>
      <TableCell numeric className="whitespace-nowrap text-t2">
        <Value>{change === null ? null : format.change(change, 1)}</Value>
      </TableCell>
      {OTHER_FIGURES.map((figure) => (
        <TableCell key={figure.key} numeric data-metric={figure.key}>
          <FigureValue figure={figure} value={row.figures[figure.key]} band={row.bands[figure.key]} />
        </TableCell>
      ))}
      <TableCell className="pr-4 whitespace-nowrap text-t2">
        {row.onFront === null ? t("allAlike") : row.onFront && t("isOnFront")}
      </TableCell>
    </TableRow>
  );
}

/** A sum of tokens, shortened, with the exact value on hover. */
function Sum({ value }: { readonly value: number | null }) {
  const format = useFormat();
  return (
    <Value exact={value === null ? undefined : format.count(value)}>{value === null ? null : format.sum(value)}</Value>
  );
}
