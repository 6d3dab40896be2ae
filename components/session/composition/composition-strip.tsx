import { useMemo } from "react";
import { chartFrame, requestAt } from "@/components/charts/frame";
import { axisTop } from "@/components/charts/scale";
import { stepArea, stepPath } from "@/components/charts/step-path";
import { useSize } from "@/components/charts/use-size";
import { useCursor, useCursorActions } from "../state/cursor";
import { useRecorded } from "../state/recorded-data";
import { useReplay } from "../state/replay-data";
import { useSession } from "../state/session-data";

const HEIGHT = 44;

/**
 * The whole session above the breakdown: clicking a request shows its breakdown. The stepper beside it does the same by keyboard.
 * @param base the request that it is compared with, if any
 */
export function CompositionStrip({ base }: { readonly base?: number | undefined }) {
  const { points } = useSession();
  const { recorded } = useRecorded();
  const { simulated } = useReplay();
  const { at } = useCursor();
  const { pin } = useCursorActions();
  const [ref, { width }] = useSize<HTMLDivElement>();
  const top = axisTop(recorded.totals.peak, simulated.totals.peak);
  const frame = useMemo(
    () =>
      chartFrame({ width, height: HEIGHT, margin: { left: 0, right: 0, top: 4, bottom: 0 }, from: 0, to: points, top }),
    [width, points, top],
  );
  const x = frame.x.px(at + 0.5);
  return (
    <div
      ref={ref}
      aria-hidden="true"
      className="relative cursor-crosshair bg-sunk"
      style={{ height: HEIGHT }}
      onPointerUp={(event) => pin(requestAt(frame, event.clientX - event.currentTarget.getBoundingClientRect().left))}
    >
      {width > 0 && (
        <svg aria-hidden="true" className="absolute inset-0" width={width} height={HEIGHT}>
          <path d={stepArea(recorded.context, frame.x, frame.y, frame)} fill="var(--c-results)" />
          <path d={stepPath(recorded.context, frame.x, frame.y, frame)} fill="none" className="stroke-t2" />
          <path d={stepPath(simulated.context, frame.x, frame.y, frame)} fill="none" className="stroke-accent" />
          {base !== undefined && (
            <line
              {...{ x1: frame.x.px(base + 0.5), x2: frame.x.px(base + 0.5), y2: HEIGHT }}
              className="stroke-t1"
              strokeWidth="2"
              strokeDasharray="3 3"
            />
          )}
          <line x1={x} x2={x} y2={HEIGHT} className="stroke-t1" strokeWidth="2" />
        </svg>
      )}
    </div>
  );
}
