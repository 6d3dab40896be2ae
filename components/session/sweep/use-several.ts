import { useUnderWay } from "@/components/format/under-way";
import { sweepSize, type VaryRange } from "@/lib/core/analysis/grid";
import { bandsOfTotals, metricsOfRow } from "@/lib/core/metrics/answered";
import { type LackedMetric, lackedMetrics, summedBands, summedMetrics } from "@/lib/core/metrics/sums";
import { sweepSessions } from "@/lib/queries/client/event-answers";
import type { SweepEvent, SweepRequest, SweepRow } from "@/lib/queries/contract/types";
import { sweepFront } from "@/lib/queries/replays/sweep";
import type { ShownPoints } from "./points";

/** Settings for all recordings. */
export type SweptAlike = Omit<SweepRequest, "sessions">;

/** The rows of one recording, one per point. */
export interface SweptRecording {
  readonly session: string;
  readonly rows: readonly SweepRow[];
}

/** A recording that could not be swept, and the reason. */
export interface LeftOut {
  readonly session: string;
  readonly detail: string;
}

export type Several =
  | { readonly state: "idle" }
  | { readonly state: "running"; readonly done: number; readonly total: number }
  | { readonly state: "failed"; readonly error: unknown }
  | {
      readonly state: "done";
      /** The request that led to this result. */
      readonly wanted: SweptAlike;
      readonly result: SummedPoints;
      /** The recordings in the sums, in the order of the request. */
      readonly recordings: readonly SweptRecording[];
      readonly leftOut: readonly LeftOut[];
    };

/** A sweep over several recordings. The server runs it on request; leaving the page or pressing stop ends it. */
export function useSeveral() {
  const { state: several, begin, stop } = useUnderWay<Several>({ state: "idle" });
  const start = (sessions: readonly string[], wanted: SweptAlike): Promise<void> =>
    begin(
      async (signal, tell) => {
        tell({ state: "running", done: 0, total: sweepSize(wanted.vary, sessions.length).replays });
        const recordings: SweptRecording[] = [];
        const leftOut: LeftOut[] = [];
        for await (const event of sweepSessions({ ...wanted, sessions: [...sessions] }, signal))
          take(event, recordings, leftOut, (done, total) => tell({ state: "running", done, total }));
        const result = summedPoints(
          wanted.vary,
          recordings.map(({ rows }) => rows),
        );
        tell({ state: "done", wanted, result, recordings, leftOut });
      },
      (error) => ({ state: "failed", error }),
    );
  return { several, start, stop: () => stop(() => ({ state: "idle" })) };
}

function take(
  event: SweepEvent,
  recordings: SweptRecording[],
  leftOut: LeftOut[],
  onProgress: (done: number, total: number) => void,
): void {
  if (event.type === "progress") onProgress(event.done, event.total);
  else if (event.type === "rows") recordings.push({ session: event.session, rows: event.rows });
  else if (event.type === "failed") leftOut.push({ session: event.session, detail: event.detail });
}

/** The points of one sweep, summed over several recordings. */
export interface SummedPoints extends ShownPoints {
  /** Points on the front of few tokens sent against many kept, over all recordings. */
  readonly front: readonly boolean[];
  readonly recordings: number;
  /** Metrics that some recordings lack: those without it at any point are left out of its sums. */
  readonly lacked: readonly LackedMetric[];
}

/**
 * Sums the points of one sweep over several recordings.
 * @param rows rows of every recording, their points in the same order
 */
export function summedPoints(vary: readonly VaryRange[], rows: readonly (readonly SweepRow[])[]): SummedPoints {
  const banded = rows.map((of) => of.map((row) => ({ metrics: metricsOfRow(row), bands: bandsOfTotals(row.totals) })));
  const metrics = banded.map((of) => of.map((one) => one.metrics));
  const lacked = lackedMetrics(metrics);
  const counts = (metric: { readonly key: string }, recording: number) =>
    lacked.find((one) => one.metric.key === metric.key)?.always.has(recording) !== true;
  const points = (rows[0] ?? []).map(({ set }, at) => {
    const own = banded.flatMap((of) => of[at] ?? []);
    const summed = summedMetrics(
      own.map((one) => one.metrics),
      counts,
    );
    return { set, metrics: summed, bands: summedBands(own, counts) };
  });
  return { vary, points, front: sweepFront(points), recordings: rows.length, lacked };
}
