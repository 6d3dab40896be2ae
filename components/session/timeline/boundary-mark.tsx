import type { LabelSide } from "@/components/charts/boundary-labels";
import type { Frame } from "@/components/charts/frame";
import { LANES } from "./geometry";

interface BoundaryMarkProps {
  readonly frame: Frame;
  readonly px: number;
  readonly kind: "recorded" | "simulated" | "clearing";
  readonly label?: string;
  readonly side: LabelSide;
  /** How many compactions it stands for. */
  readonly count?: number;
}

/** A boundary: a vertical line with a foot on the axis, so that the mark is itself ⟂; its label stands in its own lane. */
export function BoundaryMark({ frame, px, kind, label, side, count = 1 }: BoundaryMarkProps) {
  const simulated = kind === "simulated";
  const lane = simulated ? LANES.simulated : LANES.recorded;
  const stroke = simulated ? "stroke-accent" : kind === "clearing" ? "stroke-t3" : "stroke-t1";
  const x = Math.round(px) + 0.5;
  return (
    <g data-boundary={kind} data-count={count}>
      <line
        x1={x}
        x2={x}
        y1={kind === "clearing" ? frame.top : Math.min(lane, frame.top - 8)}
        y2={frame.bottom}
        className={stroke}
        strokeWidth={kind === "clearing" ? 1 : 1.5}
        strokeDasharray={simulated ? "4 3" : kind === "clearing" ? "1 3" : undefined}
      />
      <line x1={x - 5} x2={x + 5} y1={frame.bottom} y2={frame.bottom} className={stroke} strokeWidth={3} />
      {label !== undefined && side !== "none" && (
        <text
          x={side === "right" ? x + 8 : x - 8}
          y={lane + 9}
          textAnchor={side === "right" ? "start" : "end"}
          className={`text-xs ${simulated ? "fill-accent" : "fill-t1"}`}
        >
          {label}
        </text>
      )}
    </g>
  );
}
