import { type KeyboardEvent, useMemo, useRef } from "react";
import { useTranslations } from "use-intl";
import { Axes, tokenTicks } from "@/components/charts/axes";
import { useDrag } from "@/components/charts/drag";
import type { Frame } from "@/components/charts/frame";
import { clamp } from "@/components/charts/scale";
import { useFormat } from "@/components/format/use-format";
import { triggerHandle } from "@/components/settings/trigger-setting";
import { cn } from "@/components/ui/cn";
import { Tooltip } from "@/components/ui/tooltip";
import { chosenOf } from "@/lib/questions/session-context";
import { useReplay, useReplayActions } from "../state/replay-data";

const STEPS: Readonly<Record<string, number>> = {
  ArrowUp: 1,
  ArrowRight: 1,
  ArrowDown: -1,
  ArrowLeft: -1,
  PageUp: 10,
  PageDown: -10,
};

function handleY(frame: Frame, threshold: number): number {
  return clamp(frame.y.px(threshold), frame.top, frame.bottom);
}

/** Half the height of a label, half the height of the handle, and the air between them. */
const CLEAR_PX = 18;

/** The axes. A label that the handle would partly cover is left out. */
export function TimelineAxes({ frame }: { readonly frame: Frame }) {
  const format = useFormat();
  const { threshold } = useReplay();
  const covered = tokenTicks(frame).find(
    (tick) => threshold !== undefined && Math.abs(frame.y.px(tick) - handleY(frame, threshold)) < CLEAR_PX,
  );
  return <Axes frame={frame} compact={format.short} covered={covered} />;
}

/** The trigger's value on the token axis. It can be dragged: it acts as a slider for the setting that moves the trigger. */
export function TriggerHandle({ frame }: { readonly frame: Frame }) {
  const t = useTranslations("session.timeline");
  const format = useFormat();
  const { choice, threshold } = useReplay();
  const { setSetting } = useReplayActions();
  const handle = useMemo(() => triggerHandle(choice.policy, choice.specs, chosenOf(choice)), [choice]);
  const start = useRef(0);
  const drag = useDrag({
    onStart: () => {
      start.current = frame.y.px(threshold ?? 0);
    },
    onMove: (_dx, dy) => {
      if (handle !== undefined) setSetting(handle.spec.key, handle.valueFor(frame.y.value(start.current + dy)));
    },
  });
  if (threshold === undefined) return null;
  const y = handleY(frame, threshold);
  const place = { top: y - 10, width: frame.left - 6 };
  // Whole thousands: the axis has no room for more, and the field beside it is exact.
  const tag = format.short(threshold < 1000 ? threshold : Math.round(threshold / 1000) * 1000);
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
  const { spec, rising, thresholdAt } = handle;
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps = STEPS[event.key];
    if (steps === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const value = Number(choice.settings[spec.key]) + steps * spec.step * (rising ? 1 : -1);
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
