import { memo, useMemo, useRef } from "react";
import { useTranslations } from "use-intl";
import { Axes } from "@/components/charts/axes";
import { chartFrame, type Frame } from "@/components/charts/frame";
import { Layer } from "@/components/charts/layer";
import { axisTop } from "@/components/charts/scale";
import { stepPath } from "@/components/charts/step-path";
import { useSize } from "@/components/charts/use-size";
import { ExportMenu } from "@/components/export/export-menu";
import { tableData } from "@/components/export/table-data";
import { useFormat } from "@/components/format/use-format";
import { usePolicyWords } from "@/components/settings/use-words";
import { cn } from "@/components/ui/cn";
import type { CacheMiss } from "@/lib/core/cost/cache-misses";
import {
  type CostBar,
  type CostParts,
  type CostSeries,
  costBars,
  DRAWN_PARTS,
  type DrawnPart,
  PART_PAINT,
  sumOfParts,
} from "../shared/cost/series";
import { type CostDrawing, useCostView } from "../shared/cost/use-cost";
import { useReplay, useSession, useView } from "../shared/state/stores";
import { TimelineCaption } from "../shared/timeline/caption";
import { CursorLine, usePointed } from "../shared/timeline/cursor-parts";
import { PointerSurface } from "../shared/timeline/pointer-surface";
import { useMetricKinds } from "../shared/timeline/timeline-export";
import { CostCard, CostLegend } from "./cost-card";
import { CostTable, useCostColumns } from "./cost-table";
import { placedMarks } from "./placed-marks";

const MARGIN = { left: 60, right: 12, top: 38, bottom: 24 };
/** Minimum width of distinguishable columns. */
const COLUMN_PX = 3;

interface CostChartProps {
  readonly drawing: CostDrawing;
  /** The current simulation, if it is not the recording itself and has a price. */
  readonly simulated: CostSeries | undefined;
  /** The most expensive requests, which get marks. */
  readonly mostExpensive: readonly number[];
  readonly table: boolean;
}

/** Charts the cost of every request, or explains why no cost is known. */
export function CostChart(props: CostChartProps) {
  return props.drawing.series.some((parts) => parts !== undefined) ? <Chart {...props} /> : <NothingKnown />;
}

/**
 * Every request in parts (read, written, plain, answered): as recorded, and below that as simulated, on the same scales. Cache
 * misses are marked; the cursor is the timeline's.
 */
function Chart({ drawing, simulated, mostExpensive, table }: CostChartProps) {
  const t = useTranslations("cost.chart");
  const words = usePolicyWords();
  const format = useFormat();
  const { points } = useSession("points");
  const { policy } = useReplay(({ chosen }) => chosen);
  const [{ unit }] = useCostView();
  const { range } = useView("range");
  const [ref, size] = useSize<HTMLDivElement>();
  const columns = Math.floor((size.width - MARGIN.left - MARGIN.right) / COLUMN_PX);
  const bars = useBars(drawing.series, columns);
  const others = useBars(simulated, columns);
  const top = axisTop(...[...bars, ...others].map(({ parts }) => sumOfParts(parts)));
  const frame = useMemo(() => chartFrame({ ...size, margin: MARGIN, ...range, top }), [size, range, top]);
  const at = usePointed(frame);
  const figure = useRef<HTMLElement>(null);
  const kinds = useMetricKinds();
  const exported = useCostColumns(drawing, simulated, true);
  const hasBoth = others.length > 0;
  const whole = hasBoth ? { ...frame, height: 2 * frame.height, bottom: frame.height + frame.bottom } : frame;
  const tick = unit === "usd" ? (value: number) => format.usdShort(value / 1e6) : format.short;
  const height = hasBoth ? "h-[clamp(160px,25dvh,360px)]" : "h-[clamp(200px,34dvh,480px)]";
  return (
    <figure ref={figure} aria-label={t("title")} className="shrink-0">
      <CostLegend parts={drawing.parts} hasCalls={hasPart(simulated, "call")} />
      <div className="relative mt-1">
        <div ref={ref} className={cn("relative", height)}>
          {size.width > 0 && (
            <>
              <PanelName name={t("recorded")} className="text-t2" />
              <Axes frame={frame} compact={tick} />
              <CostBars
                frame={frame}
                bars={bars}
                testId="cost-bars"
                label={t("label", { requests: points, misses: drawing.missAt.size })}
              />
              {unit === "tokens" && <SimulatedSent frame={frame} />}
              <MissMarks frame={frame} misses={drawing.missAt} />
              {unit === "usd" && <ExpensiveMarks frame={frame} series={drawing.series} requests={mostExpensive} />}
            </>
          )}
        </div>
        {size.width > 0 && hasBoth && (
          <div className={cn("relative", height)}>
            <PanelName name={t("simulatedBy", { policy: words.policy(policy) })} className="text-accent" />
            <Axes frame={frame} compact={tick} />
            <CostBars
              frame={frame}
              bars={others}
              testId="simulated-cost-bars"
              label={t("simulatedLabel", { requests: points })}
            />
          </div>
        )}
        {size.width > 0 && (
          <>
            {at !== null && <CursorLine frame={whole} at={at} testId="cost-cursor" />}
            <PointerSurface frame={whole} />
            {at !== null && <CostCard frame={frame} at={at} drawing={drawing} simulated={simulated} />}
          </>
        )}
      </div>
      <TimelineCaption range={range}>
        <ExportMenu
          name={t("title")}
          note={kinds}
          image={figure}
          table={() => tableData(exported, costBars(drawing.series, 0, points, points))}
        />
      </TimelineCaption>
      {simulated !== undefined && !hasBoth && <p className="px-4 pb-2 text-sm text-t3">{t("simulatedUnknown")}</p>}
      {bars.some(({ from, to }) => to - from > 1) && (
        <p className="px-4 pb-2 text-sm text-t3">{t("mostExpensiveDrawn")}</p>
      )}
      {table && (
        <div data-image="off">
          <CostTable bars={bars} drawing={drawing} simulated={simulated} />
        </div>
      )}
    </figure>
  );
}

/** The part of a series in the visible range. */
function useBars(series: CostSeries | undefined, columns: number): readonly CostBar[] {
  const { range } = useView("range");
  return useMemo(
    () => (series === undefined ? [] : costBars(series, range.from, range.to, columns)),
    [series, range, columns],
  );
}

/** Heading of one of the two panels, recorded or simulated. */
function PanelName({ name, className }: { readonly name: string; readonly className: string }) {
  return <p className={cn("pointer-events-none absolute top-0 left-4 text-sm font-medium", className)}>{name}</p>;
}

/** Replaces the chart if no request has a price. */
function NothingKnown() {
  const t = useTranslations("cost.chart");
  return (
    <p data-testid="cost-chart-unknown" className="px-4 py-6 text-sm text-t2">
      {t("nothingKnown")}
    </p>
  );
}

interface MissMarksProps {
  readonly frame: Frame;
  readonly misses: ReadonlyMap<number, CacheMiss>;
}

/** A mark above every request with a cache miss, with the cause if there is room. */
const MissMarks = memo(function MissMarks({ frame, misses }: MissMarksProps) {
  const t = useTranslations("cost.causeShort");
  const marks = useMemo(
    () => placedMarks([...misses.values()], frame, ({ cause }) => (cause === "first" ? "" : t(cause))),
    [misses, frame, t],
  );
  return (
    <Layer frame={frame} data-testid="break-marks">
      {marks.map(({ request, cause, x, label }) => (
        <g key={request} data-mark={request} data-cause={cause}>
          <path d={`M${x - 4} ${frame.top - 12}h8l-4 7Z`} className="fill-danger" />
          <line
            x1={x}
            x2={x}
            y1={frame.top - 5}
            y2={frame.bottom}
            className="stroke-danger opacity-40"
            strokeDasharray="1 3"
          />
          {label !== undefined && (
            <text x={x + 7} y={frame.top - 5} className="fill-t2 text-xs">
              {label}
            </text>
          )}
        </g>
      ))}
    </Layer>
  );
});

interface CostBarsProps {
  readonly frame: Frame;
  readonly bars: readonly CostBar[];
  readonly label: string;
  readonly testId: string;
}

/** The columns of requests: the parts are stacked, and each part is one path. */
const CostBars = memo(function CostBars({ frame, bars, label, testId }: CostBarsProps) {
  return (
    <Layer frame={frame} aria-hidden={undefined} role="img" aria-label={label} data-testid={testId}>
      {DRAWN_PARTS.map((part, index) => (
        <path
          key={part}
          data-part={part}
          fill={PART_PAINT[part]}
          d={bars.map((bar) => rectangle(frame, bar, DRAWN_PARTS.slice(0, index), part)).join("")}
        />
      ))}
    </Layer>
  );
});

/** One part of a column, on top of the parts below it. */
function rectangle(
  { x, y }: Frame,
  { from, to, parts }: CostBar,
  below: readonly DrawnPart[],
  part: DrawnPart,
): string {
  const size = (one: DrawnPart): number => parts[one] ?? 0;
  const floor = below.reduce((sum, one) => sum + size(one), 0);
  if (size(part) === 0) return "";
  const [left, right] = [x.px(from), x.px(to)];
  const gap = right - left > 4 ? 1 : 0;
  const [bottom, top] = [y.px(floor), y.px(floor + size(part))];
  return `M${rounded(left)} ${rounded(bottom)}H${rounded(right - gap)}V${rounded(top)}H${rounded(left)}Z`;
}

function rounded(px: number): string {
  return px.toFixed(2);
}

/** True if any column has a part. */
function hasPart(series: readonly (CostParts | undefined)[] | undefined, part: DrawnPart): boolean {
  return series?.some((parts) => (parts?.[part] ?? 0) > 0) === true;
}

const RADIUS = 7.5;

interface ExpensiveMarksProps {
  readonly frame: Frame;
  readonly series: CostSeries;
  /** The most expensive drawn requests, the most expensive first. */
  readonly requests: readonly number[];
}

/** Numbers the most expensive requests, above their columns. */
function ExpensiveMarks({ frame, series, requests }: ExpensiveMarksProps) {
  return (
    <Layer frame={frame} data-testid="expensive-marks">
      {requests.map((request, index) => {
        const parts = series[request];
        if (parts === undefined || request < frame.from || request >= frame.to) return null;
        const x = frame.x.px(request + 0.5);
        // In a column that reaches the top the number is inside: the marks of cache misses are above.
        const y = Math.max(frame.top + RADIUS, frame.y.px(sumOfParts(parts)) - RADIUS - 3);
        return (
          <g key={request}>
            <circle cx={x} cy={y} r={RADIUS} className="fill-t1" stroke="var(--bg)" />
            <text x={x} y={y + 3.5} textAnchor="middle" className="fill-bg text-xs font-semibold">
              {index + 1}
            </text>
          </g>
        );
      })}
    </Layer>
  );
}

/** The context that every request would have sent: a line over the columns, on the same scale. */
function SimulatedSent({ frame }: { readonly frame: Frame }) {
  const { simulated } = useReplay("simulated");
  return (
    <Layer frame={frame} height={frame.bottom} data-testid="simulated-sent">
      <path
        d={stepPath(simulated.context, frame.x, frame.y, frame)}
        fill="none"
        className="stroke-accent"
        strokeWidth="1.75"
      />
    </Layer>
  );
}
