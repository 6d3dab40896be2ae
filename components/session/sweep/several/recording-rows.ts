import type { RowView } from "@/components/sessions/row-view";
import type { SweepRow } from "@/lib/api/types";
import { bandsOfTotals, figuresOfRow } from "@/lib/core/figures/answered";
import type { FigureBands, SweptFigures } from "@/lib/core/figures/values";
import type { SweepSet } from "@/lib/core/metrics/grid";
import { varyText } from "../vary-param";
import type { SweptAlike, SweptRecording } from "./use-several";

/** The figures of one point on one recording. */
export interface RecordingRow {
  readonly session: string;
  /** Title as in the list; the file's name where the list no longer has the session. */
  readonly title: string;
  /** Tokens that the recording itself sent, as in the list; `null` where it has no usage. */
  readonly recordedSent: number | null;
  readonly requests: number;
  /** The point's figures on this recording. */
  readonly figures: SweptFigures;
  readonly bands: FigureBands;
  /** Difference as a share of what the recording sent; `null` where it has no usage, or where the estimate is not adjusted to it. */
  readonly change: number | null;
  /** Whether the point is on this recording's own front; `null` where all its points are. */
  readonly onFront: boolean | null;
}

/**
 * A point on every recording, the recordings that send most first.
 * @param at position of the point among the sweep's
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

/** Sort key: the tokens sent. A row without that figure comes last. */
function sentOf({ figures }: RecordingRow): number {
  return figures.tokensSent ?? -1;
}

function toRow(session: string, row: SweepRow, hasChoice: boolean, view: RowView | undefined): RecordingRow {
  const figures = figuresOfRow(row);
  const { tokensSent } = figures;
  const recordedSent = view?.sent ?? null;
  const isComparable = recordedSent !== null && recordedSent > 0 && tokensSent !== null && row.basis !== "estimate";
  return {
    session,
    title: view?.title ?? row.file,
    requests: row.totals.requests,
    recordedSent,
    figures,
    bands: bandsOfTotals(row.totals),
    change: isComparable ? (tokensSent - recordedSent) / recordedSent : null,
    onFront: hasChoice ? row.pareto : null,
  };
}

/** The address query that opens the same sweep for another session, with its replay panel set to a point. */
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
