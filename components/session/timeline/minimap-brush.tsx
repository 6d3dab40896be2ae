import type { KeyboardEvent } from "react";
import { useTranslations } from "use-intl";
import { useDrag } from "@/components/charts/drag";
import type { RequestRange } from "../state/zoom";

interface BrushProps {
  readonly range: RequestRange;
  readonly points: number;
  readonly drag: { readonly onStart: () => void; readonly onMove: (dx: number) => void; readonly onEnd: () => void };
  /** Moves the range by keyboard, in requests. */
  readonly onMoved: (by: number) => void;
}

/** Arrow keys move by a hundredth of the session, with Shift by a tenth, and always by at least one request. */
function stepOf(event: KeyboardEvent, points: number): number {
  const size = Math.max(1, Math.round(points / (event.shiftKey ? 10 : 100)));
  if (event.key === "ArrowLeft" || event.key === "ArrowDown") return -size;
  return event.key === "ArrowRight" || event.key === "ArrowUp" ? size : 0;
}

function onStep(points: number, onMoved: (by: number) => void) {
  return (event: KeyboardEvent): void => {
    const by = stepOf(event, points);
    if (by === 0) return;
    event.preventDefault();
    onMoved(by);
  };
}

interface BrushWindowProps extends BrushProps {
  readonly left: number;
  readonly width: number;
}

/** The visible part; dragging moves it. */
export function BrushWindow({ left, width, range, points, drag, onMoved }: BrushWindowProps) {
  const t = useTranslations("session.minimap");
  const whole = range.from === 0 && range.to === points;
  const handlers = useDrag(drag);
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={t("window")}
      aria-valuemin={0}
      aria-valuemax={points - 1}
      aria-valuenow={range.from}
      aria-valuetext={t("range", { from: range.from, to: range.to - 1 })}
      data-testid="brush-window"
      onKeyDown={onStep(points, onMoved)}
      {...(whole ? {} : handlers)}
      className={`absolute inset-y-0 border border-t2 ${whole ? "pointer-events-none" : "cursor-grab touch-pan-y active:cursor-grabbing"}`}
      style={{ left, width }}
    />
  );
}

interface BrushGripProps extends BrushProps {
  readonly edge: "from" | "to";
  readonly px: number;
}

/** One end of the visible part. */
export function BrushGrip({ edge, px, range, points, drag, onMoved }: BrushGripProps) {
  const t = useTranslations("session.minimap");
  const handlers = useDrag(drag);
  const value = edge === "from" ? range.from : range.to - 1;
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={t(edge)}
      aria-valuemin={0}
      aria-valuemax={points - 1}
      aria-valuenow={value}
      data-testid={`brush-${edge}`}
      onKeyDown={onStep(points, onMoved)}
      {...handlers}
      className="group absolute inset-y-0 z-10 flex w-6 -translate-x-1/2 cursor-ew-resize touch-none items-center justify-center touch:w-10"
      style={{ left: px }}
    >
      <span className="h-5 w-1.5 rounded-full border border-t2 bg-bg group-hover:bg-sunk" />
    </div>
  );
}
