import { type KeyboardEvent, memo, useMemo, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { useDrag } from "@/components/charts/drag";
import { chartFrame, type Frame } from "@/components/charts/frame";
import { Layer } from "@/components/charts/layer";
import { stepArea, stepPath } from "@/components/charts/step-path";
import { moved, type RequestRange, rangeBetween } from "@/components/charts/zoom";
import { type BoundaryKind, boundaryKind } from "../shared/boundaries/entries";
import { useReplay, useSession, useView } from "../shared/state/stores";
import { boundaryMarks, type DrawnBoundary } from "../shared/timeline/boundary-marks";

const HEIGHT = 34;

interface MinimapProps {
  /** Frame of the chart above: the minimap is aligned with its plot. */
  readonly frame: Frame;
  readonly range: RequestRange;
  readonly onRange: (range: RequestRange) => void;
}

/** The whole session, and the part of it that the timeline shows. The timeline follows once the brush is released. */
export const Minimap = memo(function Minimap({ frame, range, onRange }: MinimapProps) {
  const { points } = useSession("points");
  const [draft, setDraft] = useState<RequestRange | null>(null);
  const shown = draft ?? range;
  const map = useMapFrame(frame, points);
  const start = useRef<RequestRange>(range);
  // The request at this position, by number or by time.
  const movedBy = (request: number, dx: number): number => map.x.value(map.x.px(request) + dx);
  const begin = (): void => {
    start.current = shown;
  };
  const commit = (): void => {
    setDraft(null);
    if (draft !== null) onRange(draft);
  };
  const edges = (from: number, to: number): RequestRange => rangeBetween(points, from, to);
  const origin = useRef(0);
  const select = useDrag({
    onMove: (dx) => {
      const a = origin.current;
      const b = movedBy(a, dx);
      setDraft(edges(Math.floor(Math.min(a, b)), Math.ceil(Math.max(a, b))));
    },
    onEnd: commit,
  });
  const handlers = { onStart: begin, onEnd: commit };
  const left = map.x.px(shown.from);
  const right = map.x.px(shown.to);
  return (
    <div className="relative" style={{ height: HEIGHT, marginLeft: frame.left, width: frame.plotWidth }}>
      <div
        className="absolute inset-0 cursor-crosshair touch-pan-y bg-sunk"
        {...select}
        onPointerDown={(event) => {
          origin.current = map.x.value(event.clientX - event.currentTarget.getBoundingClientRect().left);
          select.onPointerDown(event);
        }}
      >
        <RecordedShape map={map} />
        <SimulatedShape map={map} />
        <FindMarks map={map} />
        <Veil left={0} width={left} />
        <Veil left={right} width={map.width - right} />
      </div>
      <BrushWindow
        left={left}
        width={right - left}
        range={shown}
        points={points}
        drag={{
          ...handlers,
          onMove: (dx) => {
            const { from } = start.current;
            setDraft(moved(start.current, points, Math.round(movedBy(from, dx)) - from));
          },
        }}
        onMoved={(by) => onRange(moved(range, points, by))}
      />
      <BrushGrip
        edge="from"
        px={left}
        range={shown}
        points={points}
        drag={{
          ...handlers,
          onMove: (dx) => setDraft(edges(Math.round(movedBy(start.current.from, dx)), start.current.to)),
        }}
        onMoved={(by) => onRange(edges(range.from + by, range.to))}
      />
      <BrushGrip
        edge="to"
        px={right}
        range={shown}
        points={points}
        drag={{
          ...handlers,
          onMove: (dx) => setDraft(edges(start.current.from, Math.round(movedBy(start.current.to, dx)))),
        }}
        onMoved={(by) => onRange(edges(range.from, range.to + by))}
      />
    </div>
  );
});

function useMapFrame(frame: Frame, points: number): Frame {
  const { plotWidth: width, places } = frame;
  const top = frame.y.domain[1];
  return useMemo(
    () =>
      chartFrame({
        width,
        height: HEIGHT,
        margin: { left: 0, right: 0, top: 2, bottom: 0 },
        from: 0,
        to: points,
        top,
        places,
      }),
    [width, points, top, places],
  );
}

const RecordedShape = memo(function RecordedShape({ map }: { readonly map: Frame }) {
  const { recorded } = useSession("recorded");
  const shape = useMemo(
    () => ({
      area: stepArea(recorded.context, map.x, map.y, map),
      line: stepPath(recorded.context, map.x, map.y, map),
    }),
    [recorded, map],
  );
  return (
    <Layer frame={map} className="will-change-transform">
      <path d={shape.area} fill="var(--c-results)" />
      <path d={shape.line} fill="none" className="stroke-t2" strokeWidth="1" />
      <MapMarks map={map} kind="recorded" boundaries={recorded.compactions} kindOf={IS_COMPACTION} />
    </Layer>
  );
});

const IS_COMPACTION = (): BoundaryKind => "compaction";

interface MapMarksProps<T> {
  readonly map: Frame;
  readonly kind: "recorded" | "simulated";
  readonly boundaries: readonly T[];
  readonly kindOf: (boundary: T) => BoundaryKind;
}

/** Positions of the boundaries: separate compactions as lines, all others as ticks at the upper edge. */
function MapMarks<T extends DrawnBoundary>({ map, kind, boundaries, kindOf }: MapMarksProps<T>) {
  const { lines, ticks } = boundaryMarks(boundaries, map, { kindOf, short: String });
  const upright = (px: number, height: number): string => `M${Math.round(px) + 0.5} 0v${height}`;
  const simulated = kind === "simulated";
  return (
    <g className={simulated ? "stroke-accent" : "stroke-t1"} data-map-marks={kind} data-count={lines.length}>
      <path
        d={lines.map(({ px }) => upright(px, map.height)).join("")}
        strokeDasharray={simulated ? "3 2" : undefined}
      />
      <path d={ticks.map(({ px, isCompaction }) => upright(px, isCompaction ? 6 : 3)).join("")} />
    </g>
  );
}

function SimulatedShape({ map }: { readonly map: Frame }) {
  const { simulated, choice } = useReplay("simulated", "choice");
  return (
    <Layer frame={map} className="will-change-transform">
      <path
        d={stepPath(simulated.context, map.x, map.y, map)}
        fill="none"
        className="stroke-accent"
        strokeWidth="1.25"
      />
      <MapMarks
        map={map}
        kind="simulated"
        boundaries={simulated.compactions}
        kindOf={(compaction) => boundaryKind(compaction, choice.policy)}
      />
    </Layer>
  );
}

function Veil({ left, width }: { readonly left: number; readonly width: number }) {
  if (width <= 0) return null;
  return <div className="pointer-events-none absolute inset-y-0 bg-bg/70" style={{ left, width }} />;
}

/** Matches of the search in the session: a line at every request with a match, at most one per pixel. */
function FindMarks({ map }: { readonly map: Frame }) {
  const { requestOfItem } = useSession("requestOfItem");
  const { found } = useView("found");
  const items = found?.items;
  const pixels = useMemo(
    () => new Set(items?.map((item) => Math.round(map.x.px((requestOfItem[item] ?? 0) + 0.5)))),
    [items, requestOfItem, map],
  );
  if (pixels.size === 0) return null;
  const path = Array.from(pixels, (px) => `M${px} 0v6`).join("");
  return (
    <svg aria-hidden="true" className="pointer-events-none absolute inset-0 size-full" data-testid="find-marks">
      <path d={path} className="stroke-accent" strokeWidth="2" fill="none" />
    </svg>
  );
}

interface BrushProps {
  readonly range: RequestRange;
  readonly points: number;
  readonly drag: { readonly onStart: () => void; readonly onMove: (dx: number) => void; readonly onEnd: () => void };
  /** Moves the range by keyboard, in requests. */
  readonly onMoved: (by: number) => void;
}

/** Arrow keys move by a hundredth of the session, with Shift by a tenth, and always by at least one request. */
function stepOf(event: KeyboardEvent, points: number): number {
  const size = Math.max(1, Math.round(points / (event.shiftKey ? 10 : 100)));
  if (event.key === "ArrowLeft" || event.key === "ArrowDown") return -size;
  return event.key === "ArrowRight" || event.key === "ArrowUp" ? size : 0;
}

function onStep(points: number, onMoved: (by: number) => void) {
  return (event: KeyboardEvent): void => {
    const by = stepOf(event, points);
    if (by === 0) return;
    event.preventDefault();
    onMoved(by);
  };
}

interface BrushWindowProps extends BrushProps {
  readonly left: number;
  readonly width: number;
}

/** The visible part; dragging moves it. */
function BrushWindow({ left, width, range, points, drag, onMoved }: BrushWindowProps) {
  const t = useTranslations("session.minimap");
  const whole = range.from === 0 && range.to === points;
  const handlers = useDrag(drag);
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={t("window")}
      aria-valuemin={0}
      aria-valuemax={points - 1}
      aria-valuenow={range.from}
      aria-valuetext={t("range", { from: range.from, to: range.to - 1 })}
      data-testid="brush-window"
      onKeyDown={onStep(points, onMoved)}
      {...(whole ? {} : handlers)}
      className={`absolute inset-y-0 border border-t2 ${whole ? "pointer-events-none" : "cursor-grab touch-pan-y active:cursor-grabbing"}`}
      style={{ left, width }}
    />
  );
}

interface BrushGripProps extends BrushProps {
  readonly edge: "from" | "to";
  readonly px: number;
}

/** One end of the visible part. */
function BrushGrip({ edge, px, range, points, drag, onMoved }: BrushGripProps) {
  const t = useTranslations("session.minimap");
  const handlers = useDrag(drag);
  const value = edge === "from" ? range.from : range.to - 1;
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={t(edge)}
      aria-valuemin={0}
      aria-valuemax={points - 1}
      aria-valuenow={value}
      data-testid={`brush-${edge}`}
      onKeyDown={onStep(points, onMoved)}
      {...handlers}
      className="group absolute inset-y-0 z-10 flex w-6 -translate-x-1/2 cursor-ew-resize touch-none items-center justify-center touch:w-10"
      style={{ left: px }}
    >
      <span className="h-5 w-1.5 rounded-full border border-t2 bg-bg group-hover:bg-sunk" />
    </div>
  );
}
