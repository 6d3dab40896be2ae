import { type KeyboardEvent, memo, type PointerEvent } from "react";
import { useTranslations } from "use-intl";
import { useFrame } from "@/components/charts/drag";
import { type Frame, requestAt } from "@/components/charts/frame";
import { useFormat } from "@/components/format/use-format";
import { useCursor, useCursorActions } from "../state/cursor";
import { useRecorded } from "../state/recorded-data";
import { useSession } from "../state/session-data";

/**
 * Handles the pointer over the plot: hovering points at a request, a click pins it, Esc releases it. For the keyboard it is a
 * slider over requests.
 */
export const PointerSurface = memo(function PointerSurface({ frame }: { readonly frame: Frame }) {
  const t = useTranslations("session.timeline");
  const format = useFormat();
  const { points } = useSession();
  const { recorded } = useRecorded();
  const { at, pin } = useCursor();
  const actions = useCursorActions();
  const hover = useFrame(actions.hover);
  const under = (event: PointerEvent<HTMLElement>): number =>
    requestAt(frame, event.clientX - event.currentTarget.getBoundingClientRect().left + frame.left);
  const onPointerMove = (event: PointerEvent<HTMLElement>): void => {
    if (event.pointerType === "touch") actions.pin(under(event));
    else hover.call(under(event));
  };
  const onPointerUp = (event: PointerEvent<HTMLElement>): void => {
    if (event.button !== 0) return;
    const request = under(event);
    const released = request === pin && event.pointerType !== "touch";
    actions.pin(released ? null : request);
    if (released) hover.call(null);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = keyTarget(event.key, at, points);
    if (next === undefined) return;
    event.preventDefault();
    actions.pin(next);
  };
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={t("cursor")}
      aria-valuemin={0}
      aria-valuemax={points - 1}
      aria-valuenow={at}
      aria-valuetext={t("cursorValue", { request: at, tokens: format.count(recorded.context[at] ?? 0) })}
      data-testid="timeline-surface"
      onPointerMove={onPointerMove}
      onPointerLeave={() => hover.call(null)}
      onPointerUp={onPointerUp}
      onKeyDown={onKeyDown}
      className="absolute cursor-crosshair touch-pan-y"
      style={{ left: frame.left, top: 0, width: frame.plotWidth, height: frame.bottom }}
    />
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
