"use client";

import { memo, useMemo } from "react";
import { useTranslations } from "use-intl";
import { Axes } from "@/components/charts/axes";
import { chartFrame, type Frame } from "@/components/charts/frame";
import { axisTop } from "@/components/charts/scale";
import { useSize } from "@/components/charts/use-size";
import { useFormat } from "@/components/format/use-format";
import { useSession } from "../state/session-data";
import { useRange } from "../state/view";
import { TimelineCaption } from "../timeline/caption";
import { PointerSurface } from "../timeline/pointer-surface";
import { BreakMarks } from "./break-marks";
import { CostCard } from "./cost-card";
import { CostCursor } from "./cost-cursor";
import { CostLegend } from "./cost-legend";
import { CostTable } from "./cost-table";
import { DearMarks } from "./dear-marks";
import { COST_PARTS, type CostBar, costBars, PART_PAINT, sumOfParts } from "./series";
import { SimulatedSent } from "./simulated-sent";
import { type CostDrawing, useCostView } from "./use-cost";

const MARGIN = { left: 60, right: 12, top: 26, bottom: 26 };
/** A column that is narrower than this could not be told from its neighbour. */
const COLUMN_PX = 3;

interface CostChartProps {
  readonly drawing: CostDrawing;
  /** The dearest requests, which are marked. */
  readonly dearest: readonly number[];
  readonly table: boolean;
}

/** Every request by what it cost, or why there is nothing to draw. */
export function CostChart(props: CostChartProps) {
  return props.drawing.series.some((parts) => parts !== undefined) ? <Chart {...props} /> : <NothingKnown />;
}

/** Every request: read, written, plain, answered. Breaks are marked; the cursor is the timeline's. */
function Chart({ drawing, dearest, table }: CostChartProps) {
  const t = useTranslations("cost.chart");
  const format = useFormat();
  const { points } = useSession();
  const [{ unit }] = useCostView();
  const [range] = useRange();
  const [ref, size] = useSize<HTMLDivElement>();
  const columns = Math.floor((size.width - MARGIN.left - MARGIN.right) / COLUMN_PX);
  const bars = useMemo(() => costBars(drawing.series, range.from, range.to, columns), [drawing, range, columns]);
  const top = axisTop(...bars.map(({ parts }) => sumOfParts(parts)));
  const frame = useMemo(() => chartFrame({ ...size, margin: MARGIN, ...range, top }), [size, range, top]);
  const tick = unit === "usd" ? (value: number) => format.usdShort(value / 1e6) : format.short;
  return (
    <figure aria-label={t("title")} className="shrink-0">
      <CostLegend parts={drawing.parts} />
      <div ref={ref} className="relative h-[clamp(200px,34dvh,480px)]">
        {size.width > 0 && (
          <>
            <Axes frame={frame} compact={tick} />
            <Bars frame={frame} bars={bars} label={t("label", { requests: points, breaks: drawing.breakAt.size })} />
            {unit === "tokens" && <SimulatedSent frame={frame} />}
            <BreakMarks frame={frame} breaks={drawing.breakAt} />
            {unit === "usd" && <DearMarks frame={frame} series={drawing.series} requests={dearest} />}
            <CostCursor frame={frame} />
            <PointerSurface frame={frame} />
            <CostCard frame={frame} drawing={drawing} />
          </>
        )}
      </div>
      <TimelineCaption range={range} />
      {bars.some(({ from, to }) => to - from > 1) && <p className="px-4 pb-2 text-xs text-t3">{t("dearestDrawn")}</p>}
      {table && <CostTable bars={bars} drawing={drawing} />}
    </figure>
  );
}

/** In the chart's place where no request has a price. */
function NothingKnown() {
  const t = useTranslations("cost.chart");
  return (
    <p data-testid="cost-chart-unknown" className="px-4 py-6 text-sm text-t2">
      {t("nothingKnown")}
    </p>
  );
}

interface BarsProps {
  readonly frame: Frame;
  readonly bars: readonly CostBar[];
  readonly label: string;
}

/** The columns: one path a part. */
const Bars = memo(function Bars({ frame, bars, label }: BarsProps) {
  return (
    <svg
      role="img"
      aria-label={label}
      data-testid="cost-bars"
      className="pointer-events-none absolute inset-0"
      width={frame.width}
      height={frame.height}
    >
      {COST_PARTS.map((part, index) => (
        <path
          key={part}
          data-part={part}
          fill={PART_PAINT[part]}
          d={bars.map((bar) => rectangle(frame, bar, COST_PARTS.slice(0, index), part)).join("")}
        />
      ))}
    </svg>
  );
});

/** A part of a column, upon the parts below. */
function rectangle(
  { x, y }: Frame,
  { from, to, parts }: CostBar,
  below: readonly (keyof typeof parts)[],
  part: keyof typeof parts,
): string {
  const floor = below.reduce((sum, one) => sum + parts[one], 0);
  if (parts[part] === 0) return "";
  const [left, right] = [x.px(from), x.px(to)];
  const air = right - left > 4 ? 1 : 0;
  const [bottom, top] = [y.px(floor), y.px(floor + parts[part])];
  return `M${fine(left)} ${fine(bottom)}H${fine(right - air)}V${fine(top)}H${fine(left)}Z`;
}

function fine(px: number): string {
  return px.toFixed(2);
}
