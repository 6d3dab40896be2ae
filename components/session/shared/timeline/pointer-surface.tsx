import {
  type KeyboardEvent,
  memo,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useTranslations } from "use-intl";
import { useFrame } from "@/components/charts/drag";
import { type Frame, requestAt } from "@/components/charts/frame";
import { clamp } from "@/components/charts/scale";
import { moved, type RequestRange, rangeBetween, zoomedAtPlace } from "@/components/charts/zoom";
import { useFormat } from "@/components/format/use-format";
import { useSession, useView, useViewActions } from "../state/stores";
import { pointedRequest } from "../state/view";

interface PointerSurfaceProps {
  readonly frame: Frame;
  /** Absent for charts that follow another chart's range. */
  readonly zoom?: Zoom;
  /** Draggable elements in the plot. */
  readonly children?: ReactNode;
}

/** Distance after which a press becomes a drag. */
const DRAG_PX = 4;
/** Within this time a second click at the same position is part of a double click. */
const DOUBLE_MS = 500;

/**
 * Handles the pointer over the plot: hovering points at a request, a click pins it, Esc releases it, a drag zooms to its range, the wheel zooms at the
 * pointer, a double click shows the whole session. For the keyboard it is a slider over requests.
 */
export const PointerSurface = memo(function PointerSurface({ frame, zoom, children }: PointerSurfaceProps) {
  const t = useTranslations("session.timeline");
  const format = useFormat();
  const { points, recorded } = useSession("points", "recorded");
  const at = useView(pointedRequest);
  const { pin, item } = useView("pin", "item");
  const actions = useViewActions();
  const hover = useFrame(actions.hover);
  const surface = useRef<HTMLDivElement>(null);
  useWheelZoom(surface, frame, points, zoom?.show);
  const press = useRef<number | null>(null);
  /** The last click that pinned, and the pin before it. */
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
    // The second click of a double click undoes the first one: see onDoubleClick.
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
    // A step outside a zoomed chart would be invisible: the first one goes to its edge.
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

/** Zoom per pixel of wheel movement. In most browsers a notch is 100 px: it zooms by a sixth. */
const PER_PIXEL = 0.0015;

/** Pixels of a line, for browsers that report lines. */
const LINE_PX = 16;

/** Lets the wheel zoom at the pointer, and pan if it turns sideways. If the range cannot change, the page scrolls. */
function useWheelZoom(
  surface: RefObject<HTMLElement | null>,
  frame: Frame,
  points: number,
  show: ((range: RequestRange) => void) | undefined,
): void {
  const target = useRef<RequestRange>(frame);
  target.current = frame;
  const showInFrame = useFrame((next: RequestRange) => show?.(next));
  const onWheel = useRef<(event: WheelEvent) => void>(undefined);
  onWheel.current = (event) => {
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PX : 1;
    const [dx, dy] = event.shiftKey ? [event.deltaY, 0] : [event.deltaX, event.deltaY];
    const before = target.current;
    const { from, to } = before;
    const next =
      Math.abs(dx) > Math.abs(dy)
        ? moved(before, points, Math.round(((dx * unit) / frame.plotWidth) * (to - from)) || Math.sign(dx))
        : zoomedAtPlace(before, points, shareAt(event), Math.exp(dy * unit * PER_PIXEL), frame.places);
    if (next.from === from && next.to === to) return;
    event.preventDefault();
    // Further turns before the next frame continue from here.
    target.current = next;
    showInFrame.call(next);
  };
  const isZoomed = show !== undefined;
  useEffect(() => {
    const element = surface.current;
    if (element === null || !isZoomed) return;
    const listen = (event: WheelEvent): void => onWheel.current?.(event);
    // React's own listeners are passive: they cannot keep the page from scrolling.
    element.addEventListener("wheel", listen, { passive: false });
    return () => element.removeEventListener("wheel", listen);
  }, [surface, isZoomed]);
}

/** The pointer's position, as a share of the surface's width. */
function shareAt(event: WheelEvent): number {
  const { left, width } = (event.currentTarget as HTMLElement).getBoundingClientRect(); // The listener is on an element.
  return width === 0 ? 0 : (event.clientX - left) / width;
}

interface Zoom {
  /** The visible requests. */
  readonly shown: RequestRange;
  /** Shows a range at once and stores it after a short rest: for a wheel, which has no end event. */
  readonly show: (range: RequestRange) => void;
  /** Shows and stores a range; with `replace` as part of the last step of the history. */
  readonly keep: (range: RequestRange, history?: "replace") => void;
}

/** Time without a wheel event after which the range is stored. */
const SETTLE_MS = 200;

/** The range of the timeline, which may run ahead of the one in the address while a wheel turns. */
export function useZoom(): Zoom {
  const { range } = useView("range");
  const { setRange } = useViewActions();
  const [draft, setDraft] = useState<RequestRange | null>(null);
  const settling = useRef<ReturnType<typeof setTimeout>>(undefined);
  const keep = useCallback(
    (next: RequestRange, history?: "replace") => {
      clearTimeout(settling.current);
      setDraft(null);
      setRange(next, history);
    },
    [setRange],
  );
  const show = useCallback(
    (next: RequestRange) => {
      clearTimeout(settling.current);
      setDraft(next);
      settling.current = setTimeout(() => keep(next), SETTLE_MS);
    },
    [keep],
  );
  useEffect(() => () => clearTimeout(settling.current), []);
  const shown = draft ?? range;
  return useMemo(() => ({ shown, show, keep }), [shown, show, keep]);
}
