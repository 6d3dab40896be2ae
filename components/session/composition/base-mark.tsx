import { type KeyboardEvent, useRef } from "react";
import { useTranslations } from "use-intl";
import { useDrag } from "@/components/charts/drag";
import { type Frame, requestAt } from "@/components/charts/frame";
import { KEY_STEPS } from "@/components/charts/key-steps";
import { clamp } from "@/components/charts/scale";
import { baseTag, type StripTag } from "./strip-tags";

const STEPS: Readonly<Record<string, number>> = {
  ...KEY_STEPS,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

interface BaseMarkProps {
  readonly frame: Frame;
  /** Height of the plot, below which the number stands. */
  readonly plot: number;
  readonly request: number;
  /** Where the number of the shown request stands. */
  readonly shown: StripTag;
  readonly onRequest: (request: number) => void;
}

/** The request that the shown one is compared with, as a mark that is dragged, or moved by keyboard like any slider. */
export function BaseMark({ frame, plot, request, shown, onRequest }: BaseMarkProps) {
  const t = useTranslations("session.composition");
  const start = useRef(0);
  const x = frame.x.px(request + 0.5);
  const drag = useDrag({
    onStart: () => {
      start.current = x;
    },
    onMove: (dx) => onRequest(requestAt(frame, start.current + dx)),
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = STEPS[event.key];
    if (by === undefined) return;
    event.preventDefault();
    onRequest(clamp(request + by, frame.from, frame.to - 1));
  };
  const tag = baseTag(request, x, shown, frame.width);
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={t("baseRequest")}
      aria-valuemin={frame.from}
      aria-valuemax={frame.to - 1}
      aria-valuenow={request}
      aria-valuetext={t("base.request", { request })}
      data-testid="base-mark"
      onKeyDown={onKeyDown}
      {...drag}
      onPointerUp={(event) => {
        // The strip must not take the end of a drag for a click.
        event.stopPropagation();
        drag.onPointerUp(event);
      }}
      className="group absolute inset-y-0 z-10 w-6 -translate-x-1/2 cursor-ew-resize touch-none touch:w-10"
      style={{ left: x }}
    >
      <span
        aria-hidden
        className="absolute top-0 left-1/2 border-l-2 border-dashed border-t1"
        style={{ height: plot }}
      />
      <span
        aria-hidden
        className="absolute flex h-[18px] -translate-x-1/2 items-center justify-center rounded-sm border border-t1 bg-bg text-sm font-semibold group-hover:bg-sunk"
        style={{ top: plot, width: tag.width, left: `calc(50% + ${tag.left + tag.width / 2 - x}px)` }}
      >
        {request}
      </span>
    </div>
  );
}
