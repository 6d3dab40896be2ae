import type { Frame } from "@/components/charts/frame";
import { textWidth } from "@/components/charts/text-width";

interface LevelLineProps {
  readonly frame: Frame;
  readonly tokens: number;
  readonly className: string;
  readonly dash?: string;
  readonly label?: string;
  readonly labelClassName?: string;
  /** Which end the name stands at. */
  readonly end?: "left" | "right";
  /** What a level above the axis says instead of its line; without it, it is left out. */
  readonly above?: string;
}

const GAP = 6;

/** A horizontal at a number of tokens, with its name at one end, where the line makes room for it. */
export function LevelLine(props: LevelLineProps) {
  const { frame, tokens, className, dash, label, labelClassName = "fill-t2", end = "right", above } = props;
  if (tokens > frame.y.domain[1]) {
    return above === undefined ? null : (
      <Name frame={frame} y={frame.top - 4} text={above} className={labelClassName} />
    );
  }
  const y = Math.round(frame.y.px(tokens)) + 0.5;
  const room = label === undefined ? 0 : textWidth(label) + GAP;
  const left = end === "left" && label !== undefined ? frame.left + GAP + room : frame.left;
  return (
    <g>
      {end === "left" && label !== undefined && (
        <line x1={frame.left} x2={frame.left + GAP} y1={y} y2={y} className={className} strokeDasharray={dash} />
      )}
      <line
        x1={left}
        x2={end === "right" ? frame.right - room : frame.right}
        y1={y}
        y2={y}
        className={className}
        strokeDasharray={dash}
      />
      {label !== undefined && <Name frame={frame} y={y + 4} text={label} className={labelClassName} end={end} />}
    </g>
  );
}

interface NameProps extends Pick<LevelLineProps, "frame" | "end"> {
  readonly y: number;
  readonly text: string;
  readonly className: string;
}

function Name({ frame, y, text, className, end = "right" }: NameProps) {
  return (
    <text
      x={end === "right" ? frame.right : frame.left + GAP * 1.5}
      y={y}
      textAnchor={end === "right" ? "end" : "start"}
      stroke="var(--bg)"
      strokeWidth="3"
      strokeLinejoin="round"
      style={{ paintOrder: "stroke" }}
      className={`text-xs ${className}`}
    >
      {text}
    </text>
  );
}
