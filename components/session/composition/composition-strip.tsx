import { useMemo } from "react";
import { useTranslations } from "use-intl";
import { chartFrame, requestAt } from "@/components/charts/frame";
import { axisTop } from "@/components/charts/scale";
import { stepArea, stepPath } from "@/components/charts/step-path";
import { useSize } from "@/components/charts/use-size";
import { useShortcuts } from "@/components/hooks/use-shortcuts";
import { useCursor, useCursorActions } from "../state/cursor";
import { useRecorded } from "../state/recorded-data";
import { useReplay } from "../state/replay-data";
import { useSession } from "../state/session-data";
import { BaseMark } from "./base-mark";
import { type StripTag, shownTag } from "./strip-tags";
import type { Base } from "./use-base";

/** Below the plot there is room for the numbers of the two requests. */
const PLOT = 44;
const HEIGHT = PLOT + 18;
/** More boundaries than this could not be told apart, and none is drawn. */
const MOST_LINES = 200;

interface CompositionStripProps {
  /** What the shown request is compared with, where it can be. */
  readonly base?: Pick<Base, "against" | "setAgainst"> | undefined;
}

/**
 * The whole session above the breakdown. A click on a request shows its breakdown; with Shift, or by `b` at the shown request, it becomes what the shown one is
 * compared with, whose mark can be dragged. The stepper below shows other requests by keyboard.
 */
export function CompositionStrip({ base }: CompositionStripProps) {
  const t = useTranslations("session.composition");
  const { points } = useSession();
  const { recorded } = useRecorded();
  const { simulated } = useReplay();
  const { at } = useCursor();
  const { pin } = useCursorActions();
  const [ref, { width }] = useSize<HTMLDivElement>();
  const top = axisTop(recorded.totals.peak, simulated.totals.peak);
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
      {base !== undefined && <p className="text-xs text-t3 max-md:hidden">{t("stripHint")}</p>}
    </>
  );
}

function few<Boundary>(boundaries: readonly Boundary[]): readonly Boundary[] {
  return boundaries.length > MOST_LINES ? [] : boundaries;
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
