import { type KeyboardEvent, memo, type PointerEvent, type ReactNode, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { useFrame } from "@/components/charts/drag";
import { type Frame, requestAt } from "@/components/charts/frame";
import { clamp } from "@/components/charts/scale";
import { useFormat } from "@/components/format/use-format";
import { useCursor, useCursorActions } from "../state/cursor";
import { useRecorded } from "../state/recorded-data";
import { useSession } from "../state/session-data";
import { rangeBetween } from "../state/zoom";
import { useWheelZoom } from "./use-wheel-zoom";
import type { Zoom } from "./use-zoom";

interface PointerSurfaceProps {
  readonly frame: Frame;
  /** Absent for charts whose range is another chart's. */
  readonly zoom?: Zoom;
  /** What can be taken hold of in the plot. */
  readonly children?: ReactNode;
}

/** How far a press has to move to be a drag. */
const DRAG_PX = 4;
/** Within this time a second click at the same place is part of a double click. */
const DOUBLE_MS = 500;

/**
 * Handles the pointer over the plot: hovering points at a request, a click pins it, Esc releases it, a drag zooms to what it spans, the wheel zooms at
 * the pointer, a double click shows the whole session. For the keyboard it is a slider over requests.
 */
export const PointerSurface = memo(function PointerSurface({ frame, zoom, children }: PointerSurfaceProps) {
  const t = useTranslations("session.timeline");
  const format = useFormat();
  const { points } = useSession();
  const { recorded } = useRecorded();
  const { at, pin, item } = useCursor();
  const actions = useCursorActions();
  const hover = useFrame(actions.hover);
  const surface = useRef<HTMLDivElement>(null);
  useWheelZoom(surface, frame, points, zoom?.show);
  const press = useRef<number | null>(null);
  /** The last click that pinned, and what was pinned before it. */
  const clicked = useRef({ px: 0, at: Number.NEGATIVE_INFINITY, before: { pin, item } });
  const [span, setSpan] = useState<readonly [number, number] | null>(null);
  const spanInFrame = useFrame(setSpan);
  const pixel = (event: PointerEvent<HTMLElement>): number =>
    event.clientX - event.currentTarget.getBoundingClientRect().left + frame.left;
  const under = (event: PointerEvent<HTMLElement>): number => requestAt(frame, pixel(event));
  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    if (zoom === undefined || event.button !== 0 || event.pointerType === "touch") return;
    press.current = pixel(event);
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const release = (): void => {
    press.current = null;
    spanInFrame.flush();
    setSpan(null);
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>): void => {
    if (event.pointerType === "touch") actions.pin(under(event));
    else hover.call(under(event));
    const [start, px] = [press.current, clamp(pixel(event), frame.left, frame.right)];
    if (start !== null && (span !== null || Math.abs(px - start) > DRAG_PX)) spanInFrame.call([start, px]);
  };
  const onPointerUp = (event: PointerEvent<HTMLElement>): void => {
    if (event.button !== 0) return;
    spanInFrame.flush();
    const [start, px] = [press.current, clamp(pixel(event), frame.left, frame.right)];
    release();
    if (start !== null && Math.abs(px - start) > DRAG_PX) {
      const [from, to] = [frame.x.value(Math.min(start, px)), frame.x.value(Math.max(start, px))];
      zoom?.keep(rangeBetween(points, Math.floor(from), Math.ceil(to)));
      return;
    }
    // The second click of two takes back what the first one did: see onDoubleClick.
    if (event.timeStamp - clicked.current.at < DOUBLE_MS && Math.abs(clicked.current.px - px) <= DRAG_PX) return;
    clicked.current = { px, at: event.timeStamp, before: { pin, item } };
    const request = under(event);
    const released = request === pin && event.pointerType !== "touch";
    actions.pin(released ? null : request);
    if (released) hover.call(null);
  };
  const onDoubleClick = (): void => {
    if (zoom === undefined) return;
    actions.restore(clicked.current.before);
    zoom.keep({ from: 0, to: points }, "replace");
    clicked.current.at = Number.NEGATIVE_INFINITY;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = keyTarget(event.key, at, points);
    if (next === undefined) return;
    event.preventDefault();
    const isOutside = at < frame.from || at >= frame.to;
    // Out of sight of a zoomed chart nobody sees a step: the first one comes to its edge.
    const edge = clamp(at, frame.from, frame.to - 1);
    actions.pin(isOutside && event.key !== "Home" && event.key !== "End" ? edge : next);
  };
  return (
    <>
      {span !== null && (
        <div
          data-testid="zoom-span"
          className="pointer-events-none absolute border-x border-t1 bg-t1/10"
          style={{
            left: Math.min(...span),
            width: Math.abs(span[1] - span[0]),
            top: frame.top,
            height: frame.plotHeight,
          }}
        />
      )}
      <div
        ref={surface}
        role="slider"
        tabIndex={0}
        aria-label={t("cursor")}
        aria-valuemin={0}
        aria-valuemax={points - 1}
        aria-valuenow={at}
        aria-valuetext={t("cursorValue", { request: at, tokens: format.count(recorded.context[at] ?? 0) })}
        data-testid="timeline-surface"
        onPointerMove={onPointerMove}
        onPointerDown={onPointerDown}
        onPointerLeave={() => hover.call(null)}
        onPointerUp={onPointerUp}
        onPointerCancel={release}
        onDoubleClick={onDoubleClick}
        onKeyDown={onKeyDown}
        className="absolute cursor-crosshair touch-pan-y"
        style={{ left: frame.left, top: 0, width: frame.plotWidth, height: frame.bottom }}
      >
        {children}
      </div>
    </>
  );
});

function keyTarget(key: string, at: number, points: number): number | undefined {
  const last = points - 1;
  if (key === "ArrowLeft" || key === "ArrowDown") return Math.max(0, at - 1);
  if (key === "ArrowRight" || key === "ArrowUp") return Math.min(last, at + 1);
  if (key === "PageUp") return Math.min(last, at + 10);
  if (key === "PageDown") return Math.max(0, at - 10);
  if (key === "Home") return 0;
  return key === "End" ? last : undefined;
}
