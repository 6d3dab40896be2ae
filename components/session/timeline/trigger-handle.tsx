import { type KeyboardEvent, useMemo, useRef } from "react";
import { useTranslations } from "use-intl";
import { KEY_STEPS, useDrag } from "@/components/charts/drag";
import type { Frame } from "@/components/charts/frame";
import { clamp } from "@/components/charts/scale";
import { useFormat } from "@/components/format/use-format";
import { triggerHandle } from "@/components/settings/trigger-setting";
import { cn } from "@/components/ui/cn";
import { Tooltip } from "@/components/ui/tooltip";
import { chosenOf } from "@/lib/queries/session/session-context";
import { useReplay, useReplayActions } from "../shared/state/stores";

/** Half the height of the handle. */
const HALF_PX = 10;

/** Middle of the handle: the position of the trigger; above the plot, clear of the highest label of the axis, if the axis does not reach the trigger. */
export function handleY(frame: Frame, threshold: number): number {
  return isOffAxis(frame, threshold)
    ? Math.max(HALF_PX, frame.top - 15)
    : clamp(frame.y.px(threshold), frame.top, frame.bottom);
}

/** True if the axis does not reach a trigger. */
export function isOffAxis(frame: Frame, threshold: number): boolean {
  return threshold > frame.y.domain[1];
}

/** The requested trigger, and the setting that moves it, if one does. */
function useTrigger() {
  const choice = useReplay(({ asked }) => asked);
  return useMemo(() => {
    const chosen = chosenOf(choice);
    const { policy, specs } = choice;
    return { threshold: policy.threshold?.(chosen), trigger: triggerHandle(policy, specs, chosen) };
  }, [choice]);
}

/** Dragging the trigger: the tokens under the pointer become the trigger, also above the axis; a higher trigger is shown at the edge. */
function useTriggerDrag(frame: Frame, { threshold, trigger }: ReturnType<typeof useTrigger>) {
  const { setSetting } = useReplayActions();
  const start = useRef(0);
  return useDrag({
    onStart: () => {
      start.current = handleY(frame, threshold ?? 0);
    },
    onMove: (_dx, dy) => {
      if (trigger === undefined) return;
      const share = (frame.bottom - start.current - dy) / frame.plotHeight;
      setSetting(trigger.spec.key, trigger.valueFor(Math.max(0, share * frame.y.domain[1])));
    },
  });
}

/** Half the height of the strip in which the trigger's line can be grabbed. */
const GRAB_PX = 5;

/** The trigger's line within the pointer's surface, draggable along its full length; for the keyboard there is the handle. */
export function TriggerLine({ frame }: { readonly frame: Frame }) {
  const asked = useTrigger();
  const drag = useTriggerDrag(frame, asked);
  const { threshold, trigger } = asked;
  const pressed = useRef<number | null>(null);
  // It may be dragged above the axis and back.
  const isGone = pressed.current === null && isOffAxis(frame, threshold ?? 0);
  if (threshold === undefined || trigger === undefined || isGone) return null;
  return (
    <div
      aria-hidden
      data-testid="trigger-line"
      {...drag}
      onPointerDown={(event) => {
        pressed.current = event.clientY;
        // The plot below must not start a zoom.
        event.stopPropagation();
        drag.onPointerDown(event);
      }}
      onPointerMove={(event) => {
        if (pressed.current !== null) event.stopPropagation();
        drag.onPointerMove(event);
      }}
      onPointerUp={(event) => {
        // A press without a drag is a click on the plot.
        if (event.clientY !== pressed.current) event.stopPropagation();
        pressed.current = null;
        drag.onPointerUp(event);
      }}
      className="absolute inset-x-0 cursor-ns-resize touch-none hover:bg-accent/15"
      style={{ top: handleY(frame, threshold) - GRAB_PX, height: 2 * GRAB_PX }}
    />
  );
}

/** The trigger's value on the token axis. It can be dragged: it acts as a slider for the setting that moves the trigger. */
export function TriggerHandle({ frame }: { readonly frame: Frame }) {
  const t = useTranslations("session.timeline");
  const format = useFormat();
  const { settings } = useReplay(({ asked }) => asked);
  const { setSetting } = useReplayActions();
  const asked = useTrigger();
  const drag = useTriggerDrag(frame, asked);
  const { threshold, trigger: handle } = asked;
  if (threshold === undefined) return null;
  const y = handleY(frame, threshold);
  const place = { top: y - HALF_PX, width: frame.left - 6 };
  // Whole thousands: the axis has no space for more, and the field next to it is exact.
  const tokens = format.short(threshold < 1000 ? threshold : Math.round(threshold / 1000) * 1000);
  const tag = isOffAxis(frame, threshold) ? `↑${tokens}` : tokens;
  const look = "absolute left-0 flex h-5 items-center justify-end rounded-sm pr-1 text-xs font-semibold ring-3 ring-bg";
  if (handle === undefined) {
    return (
      <Tooltip content={t("triggerFixed")}>
        <button
          type="button"
          aria-label={t("triggerFixedAt", { tokens: format.count(threshold) })}
          data-testid="trigger-fixed"
          className={cn(look, "cursor-default border border-accent bg-bg text-accent")}
          style={place}
        >
          {tag}
        </button>
      </Tooltip>
    );
  }
  const { spec, rising, thresholdAt, valueFor } = handle;
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps = KEY_STEPS[event.key];
    if (steps === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    // A value that switches the trigger off is not on the scale.
    const set = Number(settings[spec.key]);
    const now = set < spec.min ? valueFor(threshold) : set;
    const value = now + steps * spec.step * (rising ? 1 : -1);
    setSetting(spec.key, Number(clamp(value, spec.min, spec.max).toFixed(6)));
  };
  const ends = [thresholdAt(spec.min), thresholdAt(spec.max)] as const;
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={t("triggerHandle")}
      aria-orientation="vertical"
      aria-valuemin={Math.min(...ends)}
      aria-valuemax={Math.max(...ends)}
      aria-valuenow={threshold}
      aria-valuetext={t("tokens", { tokens: format.count(threshold) })}
      data-testid="trigger-handle"
      onKeyDown={onKeyDown}
      {...drag}
      className={cn(
        look,
        "cursor-ns-resize touch-none bg-accent text-bg select-none before:absolute before:-inset-y-2.5 before:inset-x-0 before:content-['']",
      )}
      style={place}
    >
      {tag}
    </div>
  );
}
