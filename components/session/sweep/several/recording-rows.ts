import type { RowView } from "@/components/sessions/row-view";
import type { SweepRow } from "@/lib/api/types";
import { bandsOfTotals, figuresOfRow } from "@/lib/core/figures/answered";
import type { FigureBands, SweptFigures } from "@/lib/core/figures/values";
import type { SweepSet } from "@/lib/core/metrics/grid";
import { varyText } from "../vary-param";
import type { SweptAlike, SweptRecording } from "./swept";

/** What one point comes to on one recording. */
export interface RecordingRow {
  readonly session: string;
  /** Title as in the list; the file's name where the list has no such session any more. */
  readonly title: string;
  /** Tokens that the recording itself sent, as in the list; `null` where it has no usage. */
  readonly recordedSent: number | null;
  readonly requests: number;
  /** What the point comes to. */
  readonly figures: SweptFigures;
  readonly bands: FigureBands;
  /** As a share of what the recording sent; `null` where that has no usage, or the estimate is not brought to it. */
  readonly change: number | null;
  /** Whether the point is on this recording's own front; `null` where all points are. */
  readonly onFront: boolean | null;
}

/** A point on every recording, those that send most first. @param at place of the point among the sweep's */
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

/** What a recording sends by; one that does not say comes last. */
function sentOf({ figures }: RecordingRow): number {
  return figures.tokensSent ?? -1;
}

function toRow(session: string, row: SweepRow, hasChoice: boolean, view: RowView | undefined): RecordingRow {
  const figures = figuresOfRow(row);
  const { tokensSent } = figures;
  const recordedSent = view?.sent ?? null;
  const isComparable = recordedSent !== null && recordedSent > 0 && tokensSent !== null && row.basis !== "estimate";
  return {
    ...{ session, title: view?.title ?? row.file, requests: row.totals.requests, recordedSent, figures },
    bands: bandsOfTotals(row.totals),
    change: isComparable ? (tokensSent - recordedSent) / recordedSent : null,
    onFront: hasChoice ? row.pareto : null,
  };
}

/** The same sweep of another session, its replay panel set to a point, as the query of its address. */
export function sweepQuery({ settings, vary, ...alike }: SweptAlike, set: SweepSet) {
  const { policy, preset, counting, estimator, window, ttl, on, priceDate } = alike;
  const single = { lens: "sweep", policy, preset, counting, estimator, window, ttl, on, priceDate };
  const given = Object.entries(single).filter(([, value]) => value !== undefined && value !== null);
  const settled = Object.entries({ ...settings, ...set }).map(([key, value]) => [`set.${key}`, value]);
  const ranges = [["vary", vary.map(varyText).join("~")]];
  return new URLSearchParams(
    [...given, ...settled, ...ranges].map(([key, value]) => [`${key}`, `${value}`]),
  ).toString();
}
