import { type RefObject, useEffect, useRef } from "react";
import { useFrame } from "@/components/charts/drag";
import type { Frame } from "@/components/charts/frame";
import { moved, type RequestRange, zoomedAtPlace } from "../state/zoom";

/** Zoom by a notch of a wheel, which is 100 px to most browsers: a sixth more or less. */
const PER_PIXEL = 0.0015;

/** Pixels of a line, for browsers that tell lines. */
const LINE_PX = 16;

/**
 * Lets the wheel zoom at the pointer, and move sideways where it turns that way. Where it changes nothing, as when the whole session is shown, the
 * page scrolls as usual.
 */
export function useWheelZoom(
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
    // Further turns before the next frame go on from here.
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

/** Where the pointer is, as a share of the surface's width. */
function shareAt(event: WheelEvent): number {
  const { left, width } = (event.currentTarget as HTMLElement).getBoundingClientRect(); // listened to on an element
  return width === 0 ? 0 : (event.clientX - left) / width;
}
