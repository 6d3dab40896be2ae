import type { Frame } from "@/components/charts/frame";
import type { LineMark, Marks } from "../shared/timeline/boundary-marks";
import { LANES, TICKS } from "../shared/timeline/geometry";

interface BoundaryMarksProps {
  readonly frame: Frame;
  readonly kind: "recorded" | "simulated";
  readonly marks: Pick<Marks, "lines" | "ticks" | "ticked">;
}

/** Boundaries without labels: a compaction is a line with a foot on the axis, so that it looks like ⟂; others are ticks above the plot. */
export function BoundaryMarks({ frame, kind, marks }: BoundaryMarksProps) {
  const stroke = kind === "simulated" ? "stroke-accent" : "stroke-t1";
  const bottom = frame.top - TICKS[kind];
  return (
    <>
      {marks.lines.map(({ ordinal, px, count }) => (
        <BoundaryLine key={ordinal} frame={frame} px={px} kind={kind} count={count} />
      ))}
      {marks.ticks.length > 0 && (
        <path
          data-boundary-ticks={kind}
          data-count={marks.ticked}
          d={marks.ticks
            .map(({ px, isCompaction }) => `M${Math.round(px) + 0.5} ${bottom}v${isCompaction ? -8 : -4}`)
            .join("")}
          className={stroke}
          strokeWidth={1}
        />
      )}
    </>
  );
}

interface BoundaryLineProps extends Pick<LineMark, "px" | "count"> {
  readonly frame: Frame;
  readonly kind: BoundaryMarksProps["kind"];
}

function BoundaryLine({ frame, px, kind, count }: BoundaryLineProps) {
  const simulated = kind === "simulated";
  const stroke = simulated ? "stroke-accent" : "stroke-t1";
  const x = Math.round(px) + 0.5;
  return (
    <g data-boundary={kind} data-count={count}>
      <line
        x1={x}
        x2={x}
        y1={Math.min(LANES[kind], frame.top - 8)}
        y2={frame.bottom}
        className={stroke}
        strokeWidth={1.5}
        strokeDasharray={simulated ? "4 3" : undefined}
      />
      <line x1={x - 5} x2={x + 5} y1={frame.bottom} y2={frame.bottom} className={stroke} strokeWidth={3} />
    </g>
  );
}

interface BoundaryWordsProps {
  readonly kind: "recorded" | "simulated";
  readonly marks: Pick<Marks, "lines" | "names">;
}

/** The labels of a lane: sizes next to the lines, and the names of its ticks. */
export function BoundaryWords({ kind, marks }: BoundaryWordsProps) {
  const y = LANES[kind] + 9;
  return (
    <g className={`text-xs ${kind === "simulated" ? "fill-accent" : "fill-t1"}`} data-boundary-words={kind}>
      {marks.lines.map(({ ordinal, px, label, side }) =>
        label === undefined ? null : (
          <text
            key={ordinal}
            x={Math.round(px) + (side === "right" ? 8 : -8)}
            y={y}
            textAnchor={side === "right" ? "start" : "end"}
          >
            {label}
          </text>
        ),
      )}
      {marks.names.map(({ px, text }) => (
        <text key={px} x={px} y={y} className="italic">
          {text}
        </text>
      ))}
    </g>
  );
}
