import { lazy, Suspense, useMemo, useRef } from "react";
import { useTranslations } from "use-intl";
import { BandDefs } from "@/components/charts/band-paint";
import { chartRows } from "@/components/charts/chart-rows";
import { StackChart } from "@/components/charts/stack-chart";
import { useSize } from "@/components/charts/use-size";
import { useFormat } from "@/components/format/use-format";
import { useRecorded } from "../state/recorded-data";
import { useSession } from "../state/session-data";
import { TimelineCaption } from "./caption";
import { CursorLayer } from "./cursor-layer";
import { TimelineTable } from "./data-table";
import { AxisWatch, useTimelineFrame } from "./geometry";
import { HoverCard } from "./hover-card";
import { IdleLayer } from "./idle-layer";
import { BandLegend } from "./legend";
import { Minimap } from "./minimap";
import { PointerSurface } from "./pointer-surface";
import { RecordedLayer, RecordedNames } from "./recorded-layer";
import { SimulatedHalo, SimulatedLayer, SummaryBandLayer } from "./simulated-layer";
import { TimelineAxes } from "./timeline-axes";
import { TimelineExport } from "./timeline-export";
import { TriggerHandle, TriggerLine } from "./trigger-handle";
import { useZoom } from "./use-zoom";

// Loaded apart, since it brings the prices with it: the chart does not wait for them.
const TimelineCosts = lazy(async () => ({ default: (await import("../cost/beside-chart")).TimelineCosts }));
const BestTimes = lazy(async () => ({ default: (await import("../cost/beside-chart")).BestTimes }));

/** The timeline: the stack at the bottom, and everything that moves in light layers above it, on the same scales. */
export function Timeline({ table }: { readonly table: boolean }) {
  const t = useTranslations("session.timeline");
  const format = useFormat();
  const { points, columns } = useSession();
  const { recorded, bands } = useRecorded();
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
    <figure ref={figure} aria-label={t("title")} className="shrink-0">
      <BandDefs />
      {/* Its height follows the split alone: what stands below it comes and goes while a slider moves. A legend of two lines takes from the chart. */}
      <div className="flex flex-col lg:h-[max(12rem,calc(100cqh-7.25rem))] print:h-auto">
        <BandLegend />
        <div
          ref={ref}
          data-tour="chart"
          className="relative h-[clamp(220px,40dvh,640px)] max-md:h-[clamp(200px,30dvh,320px)] lg:h-auto lg:min-h-40 lg:grow lg:basis-0 print:h-[clamp(220px,40dvh,640px)] print:grow-0"
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
      </div>
      {size.width > 0 && (
        <Suspense fallback={null}>
          <BestTimes frame={frame} />
        </Suspense>
      )}
      <div className="h-[34px] overflow-x-clip">
        {size.width > 0 && <Minimap frame={frame} range={zoom.shown} onRange={zoom.keep} />}
      </div>
      <TimelineCaption range={zoom.shown}>
        <TimelineExport picture={figure} />
      </TimelineCaption>
      {table && (
        <div data-picture="off">
          <TimelineTable rows={rows} />
        </div>
      )}
    </figure>
  );
}
