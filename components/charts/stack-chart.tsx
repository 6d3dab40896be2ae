import { memo, useMemo, useRef } from "react";
import { bandPaint } from "./band-paint";
import type { Band } from "./bands";
import type { ChartRow } from "./chart-rows";
import type { Frame } from "./frame";

interface StackChartProps {
  readonly rows: readonly ChartRow[];
  readonly bands: readonly Band[];
  readonly frame: Frame;
  /** Text for screen readers; the numbers are in the data table. */
  readonly label: string;
}

/** The stacked areas. Memoised; `data-renders` counts the renders so that a test can detect superfluous ones. */
export const StackChart = memo(function StackChart({ rows, bands, frame, label }: StackChartProps) {
  const renders = useRef(0);
  renders.current += 1;
  const paths = useMemo(() => stackPaths(rows, bands, frame), [rows, bands, frame]);
  return (
    <svg
      role="img"
      aria-label={label}
      data-testid="stack-chart"
      data-renders={renders.current}
      data-rows={rows.length}
      className="absolute overflow-hidden"
      style={{ left: frame.left, top: frame.top }}
      width={frame.plotWidth}
      height={frame.plotHeight}
    >
      {bands.map((band, at) => (
        <path key={band.id} data-band={band.id} d={paths[at]} fill={bandPaint(band)} stroke="var(--bg)" />
      ))}
    </svg>
  );
});

/** The areas of stacked bands, one path per band, bottom first: each begins at the sum of those before it. Pixels from the plot's top left. */
export function stackPaths(rows: readonly ChartRow[], bands: readonly Band[], frame: Frame): readonly string[] {
  const edges = rows.map(({ request }) => round(frame.x.px(request) - frame.left));
  const height = (tokens: number) => round(frame.y.px(tokens) - frame.top);
  let below = rows.map(() => 0);
  return bands.map(({ id }) => {
    const above = rows.map((row, at) => (below[at] ?? 0) + (row[id] ?? 0));
    const path = outline(edges, below.map(height), above.map(height));
    below = above;
    return path;
  });
}

/** Follows the upper edge to the right, and the lower edge back. The last row only ends the step before it. */
function outline(edges: readonly number[], bottom: readonly number[], top: readonly number[]): string {
  const last = edges.length - 1;
  if (last < 1) return "";
  let path = `M${edges[0]} ${bottom[0]}`;
  for (let at = 0; at < last; at += 1) path += `V${top[at]}H${edges[at + 1]}`;
  for (let at = last - 1; at >= 0; at -= 1) path += `V${bottom[at]}H${edges[at]}`;
  return `${path}Z`;
}

function round(px: number): number {
  return Math.round(px * 10) / 10;
}
