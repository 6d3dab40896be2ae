import { memo, useMemo, useRef } from "react";
import { bandPaint } from "./band-paint";
import type { Band } from "./bands";
import type { ChartRow } from "./chart-rows";
import type { Frame } from "./frame";
import { stackPaths } from "./stack-paths";

interface StackChartProps {
  readonly rows: readonly ChartRow[];
  readonly bands: readonly Band[];
  readonly frame: Frame;
  /** What a screen reader says about the chart; its numbers are in the data table. */
  readonly label: string;
}

/**
 * The stacked areas, without anything that moves. The chart is memoised; `data-renders` counts how often it was drawn, so that a test can show that a
 * slider does not redraw it.
 */
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
