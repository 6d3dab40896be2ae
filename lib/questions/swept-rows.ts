import type { SweepRow } from "@/lib/api/types";
import { type SweptPoint, sweepFront } from "./sweep";

/**
 * Points of one recording as they are answered, but for their place on the front, which only all points together tell. Rows are
 * written where they were replayed: thousands of objects would be copied from thread to thread, and written by the one that answers
 * every question.
 */
export interface WrittenPoints {
  /** Each as a JSON object. */
  readonly rows: readonly string[];
  readonly tokensSent: Float64Array<ArrayBuffer>;
  readonly keptTokens: Float64Array<ArrayBuffer>;
}

/** @param file name without folders */
export function writtenPoints(file: string, points: readonly SweptPoint[]): WrittenPoints {
  return {
    rows: points.map(({ set, totals, figures: { compactions, keptTokens }, counted }) => {
      const row: Omit<SweepRow, "pareto"> = { file, set: { ...set }, totals, ...counted, compactions, keptTokens };
      return JSON.stringify(row);
    }),
    tokensSent: Float64Array.from(points, ({ figures }) => figures.tokensSent),
    keptTokens: Float64Array.from(points, ({ figures }) => figures.keptTokens),
  };
}

/** All points of one recording as rows of the contract, each as JSON, the Pareto front marked. @param parts all of them, in order */
export function* sweepRows(parts: readonly WrittenPoints[]): Generator<string> {
  const front = sweepFront(
    parts.flatMap(({ tokensSent, keptTokens }) =>
      Array.from(tokensSent, (sent, at) => ({ figures: { tokensSent: sent, keptTokens: keptTokens[at] ?? 0 } })),
    ),
  );
  let at = 0;
  for (const { rows } of parts) {
    for (const row of rows) {
      yield `${row.slice(0, -"}".length)},"pareto":${front[at] ?? false}}`;
      at += 1;
    }
  }
}
