import { type KeyboardEvent, useMemo, useRef } from "react";
import { useTranslations } from "use-intl";
import { KEY_STEPS, useDrag } from "@/components/charts/drag";
import { chartFrame, type Frame, requestAt } from "@/components/charts/frame";
import { axisTop, clamp } from "@/components/charts/scale";
import { stepArea, stepPath } from "@/components/charts/step-path";
import { useSize } from "@/components/charts/use-size";
import { useShortcuts } from "@/components/hooks/use-shortcuts";
import { highestContext } from "@/lib/core/compaction/replay-totals";
import { useReplay, useSession, useView, useViewActions } from "../state/stores";
import { pointedRequest } from "../state/view";
import type { Base } from "./difference";

/** Height of the plot with room for the numbers of the two requests below it. */
const PLOT = 44;
const HEIGHT = PLOT + 18;
/** Maximum number of boundary marks: of more, none is drawn, since they could not be distinguished. */
const MAX_LINES = 200;

interface CompositionStripProps {
  /** The request to compare with, if the strip can set it. */
  readonly base?: Pick<Base, "against" | "setAgainst"> | undefined;
}

/**
 * The whole session above the breakdown. A click on a request shows its breakdown; with Shift, or by `b` at the shown request, it becomes the one to compare
 * with, whose mark can be dragged. The stepper below shows other requests by keyboard.
 */
export function CompositionStrip({ base }: CompositionStripProps) {
  const t = useTranslations("session.composition");
  const { points, recorded } = useSession("points", "recorded");
  const { simulated } = useReplay("simulated");
  const at = useView(pointedRequest);
  const { pin } = useViewActions();
  const [ref, { width }] = useSize<HTMLDivElement>();
  const top = axisTop(highestContext(recorded), highestContext(simulated));
  const frame = useMemo(
    () =>
      chartFrame({
        width,
        height: HEIGHT,
        from: 0,
        to: points,
        top,
        margin: { left: 0, right: 0, top: 4, bottom: HEIGHT - PLOT },
      }),
    [width, points, top],
  );
  const x = frame.x.px(at + 0.5);
  const tag = shownTag(at, x, frame.width);
  useShortcuts({ b: () => base?.setAgainst(base.against === at ? null : at) }, base !== undefined);
  return (
    <>
      <div
        ref={ref}
        data-testid="composition-strip"
        className="relative cursor-crosshair"
        style={{ height: HEIGHT }}
        onPointerUp={(event) => {
          const request = requestAt(frame, event.clientX - event.currentTarget.getBoundingClientRect().left);
          if (event.shiftKey && base !== undefined) base.setAgainst(request);
          else pin(request);
        }}
      >
        {width > 0 && (
          <svg aria-hidden="true" className="absolute inset-0" width={width} height={HEIGHT}>
            <rect width={width} height={PLOT} className="fill-sunk" />
            <path d={stepArea(recorded.context, frame.x, frame.y, frame)} fill="var(--c-results)" />
            <path d={stepPath(recorded.context, frame.x, frame.y, frame)} fill="none" className="stroke-t2" />
            <path d={stepPath(simulated.context, frame.x, frame.y, frame)} fill="none" className="stroke-accent" />
            {few(recorded.compactions).map(({ request }, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: boundaries have no id but their place, and never change it
              <line key={row} {...vertical(frame.x.px(request))} className="stroke-t1" />
            ))}
            {few(simulated.compactions).map(({ request }, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              <line key={row} {...vertical(frame.x.px(request))} className="stroke-accent" strokeDasharray="3 2" />
            ))}
            <ShownMark x={x} at={at} tag={tag} />
          </svg>
        )}
        {width > 0 && typeof base?.against === "number" && (
          <BaseMark
            frame={frame}
            plot={PLOT}
            request={Math.min(base.against, points - 1)}
            shown={tag}
            onRequest={base.setAgainst}
          />
        )}
      </div>
      {base !== undefined && <p className="text-sm text-t3 max-md:hidden">{t("stripHint")}</p>}
    </>
  );
}

function few<Boundary>(boundaries: readonly Boundary[]): readonly Boundary[] {
  return boundaries.length > MAX_LINES ? [] : boundaries;
}

function vertical(px: number) {
  const x = Math.round(px) + 0.5;
  return { x1: x, x2: x, y2: PLOT };
}

/** The line at the shown request, and its number. */
function ShownMark({
  x,
  at,
  tag: { left, width },
}: {
  readonly x: number;
  readonly at: number;
  readonly tag: StripTag;
}) {
  return (
    <g>
      <line x1={x} x2={x} y2={PLOT} className="stroke-t1" strokeWidth="2" />
      <rect x={left} y={PLOT} width={width} height="18" rx="4" className="fill-t1" />
      <text x={left + width / 2} y={PLOT + 13} textAnchor="middle" className="fill-bg text-sm font-semibold">
        {at}
      </text>
    </g>
  );
}

interface BaseMarkProps {
  readonly frame: Frame;
  /** Height of the plot; the number is below it. */
  readonly plot: number;
  readonly request: number;
  /** Position of the shown request's number. */
  readonly shown: StripTag;
  readonly onRequest: (request: number) => void;
}

/** The request to compare with, as a mark that is dragged, or moved by keyboard like any slider. */
function BaseMark({ frame, plot, request, shown, onRequest }: BaseMarkProps) {
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
    const by = KEY_STEPS[event.key];
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
        // The end of a drag must not count as a click on the strip.
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

const GAP = 2;
/** Distance that a number may extend beyond the strip, which has space on both sides. */
const AIR = 8;

/** Position of a request's number below the strip. */
interface StripTag {
  readonly left: number;
  readonly width: number;
}

/**
 * Position of the shown request's number: below its line and within the strip.
 * @param x of its line, in px
 */
export function shownTag(request: number, x: number, stripWidth: number): StripTag {
  const width = tagWidth(request);
  return { left: Math.max(0, Math.min(stripWidth - width, x - width / 2)), width };
}

/** Position of the compared request's number: below its line, or next to the shown request's number if they would overlap. */
export function baseTag(request: number, x: number, shown: StripTag, stripWidth: number): StripTag {
  const width = tagWidth(request);
  const left = Math.max(-AIR, Math.min(stripWidth + AIR - width, x - width / 2));
  const [before, after] = [shown.left - GAP - width, shown.left + shown.width + GAP];
  if (left + width + GAP <= shown.left || left >= after) return { left, width };
  const isBefore = x <= shown.left + shown.width / 2;
  if (before < -AIR) return { left: after, width };
  if (after + width > stripWidth + AIR) return { left: before, width };
  return { left: isBefore ? before : after, width };
}

function tagWidth(request: number): number {
  return Math.max(28, String(request).length * 8 + 12);
}
