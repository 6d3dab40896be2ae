import type { Frame } from "@/components/charts/frame";
import { Layer } from "@/components/charts/layer";
import { type CostSeries, sumOfParts } from "./series";

const RADIUS = 7.5;

interface DearMarksProps {
  readonly frame: Frame;
  readonly series: CostSeries;
  /** The dearest requests, the dearest first. */
  readonly requests: readonly number[];
}

/** Numbers the dearest requests, above their columns. */
export function DearMarks({ frame, series, requests }: DearMarksProps) {
  return (
    <Layer frame={frame} data-testid="dear-marks">
      {requests.map((request, index) => {
        const parts = series[request];
        if (parts === undefined || request < frame.from || request >= frame.to) return null;
        const x = frame.x.px(request + 0.5);
        // In a column that reaches the top the number stands inside: the marks of breaks are above.
        const y = Math.max(frame.top + RADIUS, frame.y.px(sumOfParts(parts)) - RADIUS - 3);
        return (
          <g key={request}>
            <circle cx={x} cy={y} r={RADIUS} className="fill-t1" stroke="var(--bg)" />
            <text x={x} y={y + 3.5} textAnchor="middle" className="fill-bg text-xs font-semibold">
              {index + 1}
            </text>
          </g>
        );
      })}
    </Layer>
  );
}
