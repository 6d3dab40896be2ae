import { type PointerEvent, useCallback, useRef } from "react";

interface DragHandlers {
  readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerUp: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerCancel: (event: PointerEvent<HTMLElement>) => void;
}

interface DragOptions {
  /** Called with the pixels moved since the press, at most once per frame. */
  readonly onMove: (dx: number, dy: number) => void;
  readonly onStart?: () => void;
  readonly onEnd?: () => void;
}

/** Dragging with pointer capture. Moves are passed on at most once per frame, and the last one is never lost. */
export function useDrag({ onMove, onStart, onEnd }: DragOptions): DragHandlers {
  const start = useRef<{ x: number; y: number } | null>(null);
  const move = useFrame(onMove);
  const end = useCallback(() => {
    if (start.current === null) return;
    start.current = null;
    move.flush();
    onEnd?.();
  }, [move, onEnd]);
  return {
    onPointerDown: (event) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      start.current = { x: event.clientX, y: event.clientY };
      onStart?.();
    },
    onPointerMove: (event) => {
      if (start.current !== null) move.call(event.clientX - start.current.x, event.clientY - start.current.y);
    },
    onPointerUp: end,
    onPointerCancel: end,
  };
}

interface FrameCall<Arguments extends readonly unknown[]> {
  readonly call: (...values: Arguments) => void;
  /** Runs a pending call at once. */
  readonly flush: () => void;
}

/** A function that runs at most once per frame, with the latest arguments. */
export function useFrame<Arguments extends readonly unknown[]>(
  run: (...values: Arguments) => void,
): FrameCall<Arguments> {
  const latest = useRef(run);
  latest.current = run;
  const waiting = useRef<{ frame: number; values: Arguments } | null>(null);
  const flush = useCallback(() => {
    const call = waiting.current;
    if (call === null) return;
    waiting.current = null;
    cancelAnimationFrame(call.frame);
    latest.current(...call.values);
  }, []);
  const call = useCallback(
    (...values: Arguments) => {
      if (waiting.current !== null) cancelAnimationFrame(waiting.current.frame);
      waiting.current = { frame: requestAnimationFrame(flush), values };
    },
    [flush],
  );
  return useRef({ call, flush }).current;
}

/** Number of steps by which a key moves a draggable element on a chart, as on any slider; Home and End go to its ends. */
export const KEY_STEPS: Readonly<Record<string, number>> = {
  ArrowUp: 1,
  ArrowRight: 1,
  ArrowDown: -1,
  ArrowLeft: -1,
  PageUp: 10,
  PageDown: -10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};
