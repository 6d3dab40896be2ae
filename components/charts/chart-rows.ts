import { downsample } from "@/lib/core/analysis/downsample";
import type { BandId, BandSeries } from "./bands";

/** Maximum number of rows of the stacked chart: about one for every two pixels of its width, whatever the length of the session. */
export const MAX_ROWS = 400;

/** One row of the stacked chart: the size of every band at one request. */
export type ChartRow = { readonly request: number } & { readonly [band in BandId]?: number };

interface ChartRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Rows of the stacked chart for the requests `from` to `to` (half-open), at most `MAX_ROWS`. All bands share one x index. The requests next to a
 * boundary are always included. The last row repeats the one before it at `to`, so that the last request has a width.
 */
export function chartRows(
  bands: readonly BandSeries[],
  context: ArrayLike<number>,
  boundaries: readonly number[],
  { from, to }: ChartRange,
): readonly ChartRow[] {
  if (to <= from) return [];
  const neighbours = boundaries
    .flatMap((request) => [request - 1, request])
    .filter((request) => request >= from && request < to)
    .slice(0, MAX_ROWS / 2);
  const picked = downsample(context, from, to, MAX_ROWS - 1 - neighbours.length);
  const requests = [...new Set([from, ...Array.from(picked), ...neighbours])]
    .sort((a, b) => a - b)
    .slice(0, MAX_ROWS - 1);
  const rows = requests.map((request) => rowOf(bands, request, request));
  rows.push(rowOf(bands, requests.at(-1) ?? from, to));
  return rows;
}

function rowOf(bands: readonly BandSeries[], source: number, request: number): ChartRow {
  const row: { request: number } & { [band in BandId]?: number } = { request };
  for (const { band, values } of bands) row[band.id] = Math.max(0, values[source] ?? 0);
  return row;
}
