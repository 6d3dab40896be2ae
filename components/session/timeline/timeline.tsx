import { lazy, memo, type ReactNode, Suspense, useMemo, useRef } from "react";
import { useTranslations } from "use-intl";
import { Axes, type AxisMark, tokenTicks } from "@/components/charts/axes";
import { BandDefs } from "@/components/charts/band-paint";
import { chartRows } from "@/components/charts/chart-rows";
import { type Frame, requestAt } from "@/components/charts/frame";
import { Layer, PlotLayer } from "@/components/charts/layer";
import { StackChart } from "@/components/charts/stack-chart";
import { stepPath } from "@/components/charts/step-path";
import { useSize } from "@/components/charts/use-size";
import { useFormat } from "@/components/format/use-format";
import { sizesReached } from "../shared/boundaries/entries";
import { useReplay, useSession, useView } from "../shared/state/stores";
import { TimelineCaption } from "../shared/timeline/caption";
import { CursorLine, usePointed } from "../shared/timeline/cursor-parts";
import {
  AxisWatch,
  isNarrow,
  LANES,
  useDrawnWindow,
  usePlacesInTime,
  useTimelineFrame,
} from "../shared/timeline/geometry";
import { LevelLine, LevelName } from "../shared/timeline/level-line";
import { PointerSurface, useZoom } from "../shared/timeline/pointer-surface";
import { TimelineExport } from "../shared/timeline/timeline-export";
import { useRecordedMarks } from "../shared/timeline/use-marks";
import { BoundaryMarks, BoundaryWords } from "./boundary-mark";
import { HoverCard } from "./hover-card";
import { CostMarkKeys, Legend } from "./legend";
import { Minimap } from "./minimap";
import { SimulatedHalo, SimulatedLayer, SummaryBandLayer } from "./simulated-layer";
import { handleY, isOffAxis, TriggerHandle, TriggerLine } from "./trigger-handle";

// Loaded separately, since it needs the prices: the chart does not wait for them.
const TimelineCosts = lazy(async () => ({ default: (await import("./beside-chart")).TimelineCosts }));
const CostKeys = lazy(async () => ({ default: (await import("./beside-chart")).CostKeys }));
const TimelineTable = lazy(async () => ({ default: (await import("./timeline-table")).TimelineTable }));
const HindsightMarks = lazy(async () => ({ default: (await import("./beside-chart")).HindsightMarks }));
const HindsightNote = lazy(async () => ({ default: (await import("./beside-chart")).HindsightNote }));

interface TimelineProps {
  /** True if the data table is shown below. */
  readonly table: boolean;
  /** Content above the chart; it takes from the height of the chart. */
  readonly children: ReactNode;
}

/** The timeline: the stack at the bottom, and all moving parts in light layers above it, on the same scales. */
export function Timeline({ table, children }: TimelineProps) {
  const t = useTranslations("session.timeline");
  const format = useFormat();
  const { points, columns, recorded, bands } = useSession("points", "columns", "recorded", "bands");
  const zoom = useZoom();
  const [ref, size] = useSize<HTMLDivElement>();
  const figure = useRef<HTMLElement>(null);
  const { frame, setTop } = useTimelineFrame(size, zoom.shown);
  const { from, to } = frame;
  const rows = useMemo(
    () => chartRows(bands, recorded.context, Array.from(columns.boundaries.request), { from, to }),
    [bands, recorded, columns, from, to],
  );
  const drawn = useMemo(() => bands.map(({ band }) => band), [bands]);
  const label = t("chart", {
    requests: points,
    peak: format.count(recorded.totals.peak),
    compactions: recorded.compactions.length,
  });
  return (
    <>
      {/* Its height depends only on the split: the chart takes the height that the lines above and below it leave. */}
      <div className="flex flex-col lg:h-[100cqh] lg:min-h-91 print:h-auto">
        {children}
        <figure ref={figure} aria-label={t("title")} data-tour="chart" className="flex shrink-0 grow flex-col">
          <BandDefs />
          <Legend>
            <Suspense fallback={<CostMarkKeys />}>
              <CostKeys range={zoom.shown} />
            </Suspense>
          </Legend>
          <div
            ref={ref}
            className="relative h-[clamp(220px,40dvh,640px)] max-md:h-[clamp(180px,24dvh,320px)] lg:h-auto lg:min-h-40 lg:grow lg:basis-0 print:h-[clamp(220px,40dvh,640px)] print:grow-0"
          >
            {size.width > 0 && (
              <>
                <AxisWatch frame={frame} onTop={setTop} />
                <TimelineAxes frame={frame} />
                <StackChart rows={rows} bands={drawn} frame={frame} label={label} />
                <IdleLayer frame={frame} />
                <SummaryBandLayer frame={frame} />
                <SimulatedHalo frame={frame} />
                <RecordedLayer frame={frame} />
                <SimulatedLayer frame={frame} />
                <RecordedNames frame={frame} />
                <Suspense fallback={null}>
                  <TimelineCosts frame={frame} />
                </Suspense>
                <CursorLayer frame={frame} />
                <PointerSurface frame={frame} zoom={zoom}>
                  <TriggerLine frame={frame} />
                </PointerSurface>
                <TriggerHandle frame={frame} />
                <HoverCard frame={frame} />
              </>
            )}
          </div>
          {/* Its space is reserved: the marks appear and disappear while a slider moves. */}
          <div className="min-h-3.5">
            {size.width > 0 && (
              <Suspense fallback={null}>
                <HindsightMarks frame={frame} />
              </Suspense>
            )}
          </div>
          <div className="h-[34px] overflow-x-clip">
            {size.width > 0 && <Minimap frame={frame} range={zoom.shown} onRange={zoom.keep} />}
          </div>
          <TimelineCaption
            range={zoom.shown}
            note={
              <Suspense fallback={null}>
                <HindsightNote />
              </Suspense>
            }
          >
            <TimelineExport image={figure} />
          </TimelineCaption>
        </figure>
      </div>
      {table && (
        <Suspense fallback={null}>
          <TimelineTable rows={rows} />
        </Suspense>
      )}
    </>
  );
}

/** The current request, with a dot on each of the two context lines. */
function CursorLayer({ frame }: { readonly frame: Frame }) {
  const at = usePointed(frame);
  const { recorded } = useSession("recorded");
  const { simulated } = useReplay("simulated");
  if (at === null) return null;
  const dot = (tokens: number | undefined): number => Math.max(frame.top, frame.y.px(tokens ?? 0));
  return (
    <CursorLine frame={frame} at={at} testId="cursor">
      {(x) => (
        <>
          <circle cx={x} cy={dot(simulated.context[at])} r="4" className="fill-bg stroke-accent" strokeWidth="1.75" />
          <circle cx={x} cy={dot(recorded.context[at])} r="4" className="fill-bg stroke-t1" strokeWidth="1.75" />
        </>
      )}
    </CursorLine>
  );
}

/** Height of a line of text at 11 px, with space around it. */
const LINE = 15;

/** On a time axis: hatches the pauses that are drawn shorter than they were; their duration is written in them. */
const IdleLayer = memo(function IdleLayer({ frame }: { readonly frame: Frame }) {
  const format = useFormat();
  const { axis } = useView("axis");
  const idle = usePlacesInTime(axis)?.idle ?? [];
  const shown = idle.filter(({ request }) => request >= frame.from && request < frame.to);
  if (shown.length === 0) return null;
  return (
    <PlotLayer frame={frame} data-testid="idle-gaps" data-count={shown.length}>
      {shown.map(({ request, ms }) => {
        const [start, end] = [frame.x.px(request), frame.x.px(request + 1)];
        const middle = (start + end) / 2;
        return (
          <g key={request}>
            <rect x={start} y={frame.top} width={end - start} height={frame.plotHeight} fill="url(#buffer-hatch)" />
            {end - start >= LINE && (
              <text
                transform={`translate(${middle + 4} ${frame.top + 6}) rotate(90)`}
                className="fill-t1 stroke-bg text-xs [paint-order:stroke]"
                strokeWidth="4"
              >
                {format.duration(ms)}
              </text>
            )}
          </g>
        );
      })}
    </PlotLayer>
  );
});

/** All recorded parts over the stack, in ink: usage, boundaries, the window. They do not move with a slider. */
const RecordedLayer = memo(function RecordedLayer({ frame }: { readonly frame: Frame }) {
  const { recorded, observedTrigger, hasUsage } = useSession("recorded", "observedTrigger", "hasUsage");
  const marks = useRecordedMarks(frame);
  const paths = useMemo(() => {
    const { from, to } = frame;
    const reached = sizesReached(recorded.compactions);
    const of = (estimated: number): string =>
      stepPath(recorded.context, frame.x, frame.y, {
        from,
        to,
        reached,
        include: (request) => recorded.estimated[request] === estimated,
      });
    return { measured: of(0), estimated: of(1) };
  }, [recorded, frame]);
  return (
    <Layer frame={frame} className="will-change-transform">
      <WindowLine frame={frame} />
      {observedTrigger !== undefined && (
        <LevelLine frame={frame} tokens={observedTrigger} className="stroke-t3" dash="1 3" />
      )}
      <path d={paths.measured} fill="none" className="stroke-t1" strokeWidth="1.5" data-line="recorded" />
      <path
        d={paths.estimated}
        fill="none"
        className={hasUsage ? "stroke-t3" : "stroke-t2"}
        strokeWidth="1.5"
        strokeDasharray="2 2"
        data-line="estimated"
      />
      <BoundaryMarks frame={frame} kind="recorded" marks={marks} />
    </Layer>
  );
});

function WindowLine({ frame }: { readonly frame: Frame }) {
  const { tokens } = useDrawnWindow();
  return <LevelLine frame={frame} tokens={tokens} className="stroke-t2" />;
}

/** The names of the recorded levels, on top of all lines. */
const RecordedNames = memo(function RecordedNames({ frame }: { readonly frame: Frame }) {
  const t = useTranslations("session.timeline");
  const { observedTrigger, recorded } = useSession("observedTrigger", "recorded");
  const { simulated } = useReplay("simulated");
  const { tokens: window, name } = useDrawnWindow();
  const lines = [recorded.context, simulated.context];
  const marks = useRecordedMarks(frame);
  const labelled = !isNarrow(frame);
  const { threshold } = useReplay("threshold");
  // The handle of a trigger above the axis would cover the lane's name, in the same colour.
  const hasLaneName = threshold === undefined || !isOffAxis(frame, threshold);
  return (
    <Layer frame={frame}>
      <LevelName frame={frame} tokens={window} label={name} above={t("above", { name })} lines={lines} />
      {observedTrigger !== undefined && labelled && (
        <LevelName frame={frame} tokens={observedTrigger} label={t("observedTrigger")} end="left" lines={lines} />
      )}
      <BoundaryWords kind="recorded" marks={marks} />
      {labelled && (
        <g className="text-xs" textAnchor="end">
          <text x={frame.left - 8} y={LANES.recorded + 9} className="fill-t2">
            {t("laneRecorded")}
          </text>
          {hasLaneName && (
            <text x={frame.left - 8} y={LANES.simulated + 9} className="fill-accent">
              {t("laneSimulated")}
            </text>
          )}
        </g>
      )}
    </Layer>
  );
});

/** Half the height of a label, half the height of the handle, and the space between them. */
const CLEAR_PX = 18;

/** The axes. A label that the handle would partly cover is left out. */
function TimelineAxes({ frame }: { readonly frame: Frame }) {
  const format = useFormat();
  const { threshold } = useReplay("threshold");
  const { columns } = useSession("columns");
  const marks = frame.places === undefined ? undefined : timeMarks(frame, columns.requests.at, format.time);
  const covered = tokenTicks(frame).find(
    (tick) => threshold !== undefined && Math.abs(frame.y.px(tick) - handleY(frame, threshold)) < CLEAR_PX,
  );
  return <Axes frame={frame} compact={format.short} covered={covered} marks={marks} />;
}

/** Space for a time of day. */
const APART_PX = 80;

/** Ticks at the starts of requests, far enough apart for their times, each once. */
function timeMarks(frame: Frame, at: ArrayLike<number>, write: (ms: number) => string): readonly AxisMark[] {
  const marks: AxisMark[] = [];
  for (let px = frame.left; px < frame.right; px += APART_PX) {
    const request = requestAt(frame, px);
    const time = at[request] ?? Number.NaN;
    const place = frame.x.px(request);
    const last = marks.at(-1);
    const isApart = place >= frame.left && (last === undefined || place - last.px >= APART_PX * 0.9);
    if (isApart && !Number.isNaN(time)) marks.push({ px: place, label: write(time) });
  }
  return marks;
}
