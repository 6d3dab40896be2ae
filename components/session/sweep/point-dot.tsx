import { useIsPointed, usePointAt } from "./pointed";
import type { ShownPoints } from "./points";
import { useSweepData } from "./sweep-data";
import { useSweepWords } from "./use-sweep-words";

interface PointDotProps {
  readonly shown: ShownPoints;
  /** Position among the points of the sweep. */
  readonly index: number;
  readonly cx: number | undefined;
  readonly cy: number | undefined;
}

/** A point of a sweep in a chart; its tip names its settings. A point on the front has a ring in ink, the current one a ring in the accent. */
export function PointDot({ shown, index, cx, cy }: PointDotProps) {
  const words = useSweepWords();
  const { isCurrent, open } = useSweepData();
  const pointed = useIsPointed(index);
  const pointAt = usePointAt();
  const point = shown.points[index];
  if (point === undefined || cx === undefined || cy === undefined) return null;
  const onFront = shown.front[index] === true;
  const current = isCurrent(point);
  const stroke = current ? "var(--accent)" : onFront ? "var(--t1)" : "none";
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: for the pointer alone; the table below has the same buttons
    <g
      onClick={() => open(point)}
      onPointerEnter={() => pointAt(index)}
      onPointerLeave={() => pointAt(null)}
      className="cursor-pointer"
      data-point={index}
      data-front={onFront}
      data-pointed={pointed}
    >
      <title>{words.set(point.set)}</title>
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
