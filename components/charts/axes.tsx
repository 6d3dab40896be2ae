import { memo } from "react";
import type { Frame } from "./frame";
import { Layer } from "./layer";
import { ticks } from "./scale";

interface AxesProps {
  readonly frame: Frame;
  /** Writes tokens as "150k". */
  readonly compact: (tokens: number) => string;
  /** A tick of the token axis whose label is left out because something else covers it. */
  readonly covered?: number | undefined;
}

/** Ticks of the token axis. */
export function tokenTicks(frame: Frame): readonly number[] {
  return ticks([0, frame.y.domain[1]], Math.max(2, Math.floor(frame.plotHeight / 56)));
}

/** Grid and labels of both axes. We draw them ourselves so that the threshold's handle can sit on the same axis. */
export const Axes = memo(function Axes({ frame, compact, covered }: AxesProps) {
  const yTicks = tokenTicks(frame);
  const xTicks = ticks([frame.from, frame.to - 1], Math.max(2, Math.floor(frame.plotWidth / 110)));
  return (
    <Layer frame={frame}>
      {yTicks.map((tick) => (
        <g key={tick} className="text-xs">
          <line
            x1={frame.left}
            x2={frame.right}
            y1={frame.y.px(tick)}
            y2={frame.y.px(tick)}
            className={tick === 0 ? "stroke-line2" : "stroke-line"}
          />
          {tick !== covered && (
            <text x={frame.left - 8} y={frame.y.px(tick) + 4} textAnchor="end" className="fill-t2">
              {compact(tick)}
            </text>
          )}
        </g>
      ))}
      {xTicks.map((tick) => (
        <g key={tick} className="text-xs">
          <line
            x1={frame.x.px(tick + 0.5)}
            x2={frame.x.px(tick + 0.5)}
            y1={frame.bottom}
            y2={frame.bottom + 4}
            className="stroke-line2"
          />
          <text x={frame.x.px(tick + 0.5)} y={frame.bottom + 17} textAnchor="middle" className="fill-t2">
            {tick}
          </text>
        </g>
      ))}
    </Layer>
  );
});
