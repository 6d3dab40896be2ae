import { memo } from "react";
import type { Frame } from "@/components/charts/frame";
import { Layer } from "@/components/charts/layer";
import { type CostBar, type CostParts, DRAWN_PARTS, type DrawnPart, PART_PAINT } from "./series";

interface CostBarsProps {
  readonly frame: Frame;
  readonly bars: readonly CostBar[];
  readonly label: string;
  readonly testId: string;
}

/** The columns of requests: the parts are stacked, and each part is one path. */
export const CostBars = memo(function CostBars({ frame, bars, label, testId }: CostBarsProps) {
  return (
    <Layer frame={frame} aria-hidden={undefined} role="img" aria-label={label} data-testid={testId}>
      {DRAWN_PARTS.map((part, index) => (
        <path
          key={part}
          data-part={part}
          fill={PART_PAINT[part]}
          d={bars.map((bar) => rectangle(frame, bar, DRAWN_PARTS.slice(0, index), part)).join("")}
        />
      ))}
    </Layer>
  );
});

/** One part of a column, on top of the parts below it. */
function rectangle(
  { x, y }: Frame,
  { from, to, parts }: CostBar,
  below: readonly DrawnPart[],
  part: DrawnPart,
): string {
  const size = (one: DrawnPart): number => parts[one] ?? 0;
  const floor = below.reduce((sum, one) => sum + size(one), 0);
  if (size(part) === 0) return "";
  const [left, right] = [x.px(from), x.px(to)];
  const air = right - left > 4 ? 1 : 0;
  const [bottom, top] = [y.px(floor), y.px(floor + size(part))];
  return `M${fine(left)} ${fine(bottom)}H${fine(right - air)}V${fine(top)}H${fine(left)}Z`;
}

function fine(px: number): string {
  return px.toFixed(2);
}

/** Whether any column has a part. */
export function hasPart(series: readonly (CostParts | undefined)[] | undefined, part: DrawnPart): boolean {
  return series?.some((parts) => (parts?.[part] ?? 0) > 0) === true;
}
