import { memo, useMemo } from "react";
import { useTranslations } from "use-intl";
import type { Frame } from "@/components/charts/frame";
import { Layer } from "@/components/charts/layer";
import type { CacheBreak } from "@/lib/core/cost/breaks";
import { placedMarks } from "./placed-marks";

interface BreakMarksProps {
  readonly frame: Frame;
  readonly breaks: ReadonlyMap<number, CacheBreak>;
}

/** A mark above every request that broke the cache, with the cause where there is room. */
export const BreakMarks = memo(function BreakMarks({ frame, breaks }: BreakMarksProps) {
  const t = useTranslations("cost.causeShort");
  const marks = useMemo(
    () => placedMarks([...breaks.values()], frame, ({ cause }) => (cause === "first" ? "" : t(cause))),
    [breaks, frame, t],
  );
  return (
    <Layer frame={frame} data-testid="break-marks">
      {marks.map(({ request, cause, x, label }) => (
        <g key={request} data-mark={request} data-cause={cause}>
          <path d={`M${x - 4} ${frame.top - 12}h8l-4 7Z`} className="fill-danger" />
          <line
            x1={x}
            x2={x}
            y1={frame.top - 5}
            y2={frame.bottom}
            className="stroke-danger opacity-40"
            strokeDasharray="1 3"
          />
          {label !== undefined && (
            <text x={x + 7} y={frame.top - 5} className="fill-t2 text-xs">
              {label}
            </text>
          )}
        </g>
      ))}
    </Layer>
  );
});
