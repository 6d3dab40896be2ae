import type { Frame } from "@/components/charts/frame";

interface LevelLineProps {
  readonly frame: Frame;
  readonly tokens: number;
  readonly className: string;
  readonly dash?: string;
  readonly label?: string;
  readonly labelClassName?: string;
  /** Which end the name stands at. */
  readonly end?: "left" | "right";
}

/** A horizontal at a number of tokens, with its name at one end. Above the axis it is not drawn. */
export function LevelLine({
  frame,
  tokens,
  className,
  dash,
  label,
  labelClassName = "fill-t2",
  end = "right",
}: LevelLineProps) {
  if (tokens > frame.y.domain[1]) return null;
  const y = Math.round(frame.y.px(tokens)) + 0.5;
  return (
    <g>
      <line x1={frame.left} x2={frame.right} y1={y} y2={y} className={className} strokeDasharray={dash} />
      {label !== undefined && (
        <text
          x={end === "right" ? frame.right - 2 : frame.left + 8}
          y={y + 4}
          textAnchor={end === "right" ? "end" : "start"}
          stroke="var(--bg)"
          strokeWidth="5"
          strokeLinejoin="round"
          style={{ paintOrder: "stroke" }}
          className={`text-xs ${labelClassName}`}
        >
          {label}
        </text>
      )}
    </g>
  );
}
