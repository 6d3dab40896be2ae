import { useIsPointed, usePoint } from "./pointed";

interface PointDotProps {
  /** Position among the points of the sweep. */
  readonly index: number;
  readonly cx: number | undefined;
  readonly cy: number | undefined;
  /** The point's settings, as a tip. */
  readonly title: string;
  readonly onFront: boolean;
  readonly current: boolean;
  readonly onOpen: () => void;
}

/** A point of a sweep in a chart. A point on the front has a ring in ink, the current one a ring in the accent. */
export function PointDot({ index, cx, cy, title, onFront, current, onOpen }: PointDotProps) {
  const pointed = useIsPointed(index);
  const point = usePoint();
  if (cx === undefined || cy === undefined) return null;
  const stroke = current ? "var(--accent)" : onFront ? "var(--t1)" : "none";
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: for the pointer alone; the table below has the same buttons
    <g
      onClick={onOpen}
      onPointerEnter={() => point(index)}
      onPointerLeave={() => point(null)}
      className="cursor-pointer"
      data-point={index}
      data-front={onFront}
      data-pointed={pointed}
    >
      <title>{title}</title>
      <circle cx={cx} cy={cy} r="9" fill="transparent" />
      <circle
        cx={cx}
        cy={cy}
        r={pointed ? 6.5 : current ? 5.5 : onFront ? 4 : 2.5}
        fill={onFront || current ? "var(--bg)" : "var(--ramp-4)"}
        stroke={stroke}
        strokeWidth={current ? 2.5 : 2}
      />
      {pointed && <circle cx={cx} cy={cy} r="9" fill="none" stroke="var(--t1)" strokeWidth="1" />}
    </g>
  );
}
