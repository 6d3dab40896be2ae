import { memo, useRef } from "react";
import { Area, AreaChart, XAxis, YAxis } from "recharts";
import { bandPaint } from "./band-paint";
import type { Band } from "./bands";
import type { ChartRow } from "./chart-rows";
import type { Frame } from "./frame";

interface StackChartProps {
  readonly rows: readonly ChartRow[];
  readonly bands: readonly Band[];
  readonly frame: Frame;
  /** What a screen reader says about the chart; its numbers are in the data table. */
  readonly label: string;
}

const NO_MARGIN = { top: 0, right: 0, bottom: 0, left: 0 };

/**
 * The stacked areas, without anything that moves, since Recharts takes 30 to 100 ms to redraw. The chart is memoised;
 * `data-renders` counts how often it was drawn, so that a test can show that a slider does not redraw it.
 */
export const StackChart = memo(function StackChart({ rows, bands, frame, label }: StackChartProps) {
  const renders = useRef(0);
  renders.current += 1;
  return (
    <div
      role="img"
      aria-label={label}
      data-testid="stack-chart"
      data-renders={renders.current}
      data-rows={rows.length}
      className="absolute inset-0"
    >
      <AreaChart
        width={frame.plotWidth}
        height={frame.plotHeight}
        data={rows.map((row) => ({ ...row, request: frame.x.px(row.request) }))}
        margin={NO_MARGIN}
        accessibilityLayer={false}
      >
        <XAxis hide type="number" dataKey="request" domain={[frame.left, frame.right]} allowDataOverflow />
        <YAxis hide type="number" domain={[...frame.y.domain]} allowDataOverflow />
        {bands.map((band) => (
          <Area
            key={band.id}
            dataKey={band.id}
            stackId="context"
            type="stepAfter"
            fill={bandPaint(band)}
            fillOpacity={1}
            stroke="var(--bg)"
            strokeWidth={1}
            isAnimationActive={false}
            activeDot={false}
            dot={false}
          />
        ))}
      </AreaChart>
    </div>
  );
});
