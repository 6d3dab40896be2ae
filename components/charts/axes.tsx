import { memo } from "react";
import type { Frame } from "./frame";
import { Layer } from "./layer";
import { ticks } from "./scale";

/** A labelled tick of the x axis. */
export interface AxisMark {
  readonly px: number;
  readonly label: string;
}

function requestMarks(frame: Frame): readonly AxisMark[] {
  return ticks([frame.from, frame.to - 1], Math.max(2, Math.floor(frame.plotWidth / 110))).map((tick) => ({
    px: frame.x.px(tick + 0.5),
    label: String(tick),
  }));
}

interface AxesProps {
  readonly frame: Frame;
  /** Writes tokens as "150k". */
  readonly compact: (tokens: number) => string;
  /** Ticks of the x axis; request numbers if absent. */
  readonly marks?: readonly AxisMark[] | undefined;
  /** A tick of the token axis whose label is left out because another element covers it. */
  readonly covered?: number | undefined;
}

export function tokenTicks(frame: Frame): readonly number[] {
  return ticks([0, frame.y.domain[1]], Math.max(2, Math.floor(frame.plotHeight / 48)));
}

/** Grid and labels of both axes. Drawn here so that the threshold's handle can sit on the same axis. */
export const Axes = memo(function Axes({ frame, compact, covered, marks = requestMarks(frame) }: AxesProps) {
  const yTicks = tokenTicks(frame);
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
      {marks.map(({ px, label }) => (
        <g key={px} className="text-xs">
          <line x1={px} x2={px} y1={frame.bottom} y2={frame.bottom + 4} className="stroke-line2" />
          <text x={px} y={frame.bottom + 17} textAnchor="middle" className="fill-t2">
            {label}
          </text>
        </g>
      ))}
    </Layer>
  );
});
