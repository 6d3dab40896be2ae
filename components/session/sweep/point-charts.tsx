import { memo, useMemo, useRef } from "react";
import { CartesianGrid, Line, LineChart, XAxis, YAxis } from "recharts";
import { useTranslations } from "use-intl";
import { AXIS, ChartBox } from "@/components/charts/chart-box";
import { ExportMenu } from "@/components/export/export-menu";
import { tickMetric } from "@/components/format/metrics";
import { useFormat } from "@/components/format/use-format";
import { MetricValue } from "@/components/format/value";
import { usePolicyWords } from "@/components/settings/use-words";
import { Skeleton } from "@/components/ui/status";
import type { Band } from "@/lib/core/metrics/metric";
import { metricOf, metricsThere, SWEPT_METRICS } from "@/lib/core/metrics/values";
import { sweepFront } from "@/lib/queries/replays/sweep";
import { useReplay } from "../shared/state/stores";
import type { Axis } from "./axes";
import { HeatMap } from "./heat-map";
import { MapHead } from "./map-head";
import { ParetoChart } from "./pareto-chart";
import { PointDot, PointedProvider, usePointed } from "./pointed";
import { hasChoice, type ShownPoints } from "./points";
import { PointsTable } from "./points-table";
import { useSweepData } from "./sweep-data";
import { useSweepWords } from "./use-sweep-words";

interface PointChartsProps {
  readonly shown: ShownPoints;
  /** Name of the points' owner, if the page shows other points as well. */
  readonly label?: string;
  /** Prefix of these charts' test ids. */
  readonly testId?: string;
}

/** Points as a map or a curve, as sent against kept, and as a table. Pointing at a point highlights it in all of them. */
export function PointCharts({ shown: given, label, testId = "" }: PointChartsProps) {
  const { axes, spent, metric } = useSweepData();
  const t = useTranslations("sweep");
  const words = useSweepWords();
  const policy = usePolicyWords();
  const { choice } = useReplay("choice");
  const map = useRef<HTMLDivElement>(null);
  const pareto = useRef<HTMLDivElement>(null);
  const note = `${t("title", { policy: `${policy.policy(choice.policy)} · ${policy.preset(choice.preset)}` })}. ${words.metric(metric)}. ${t("firstOrder")}`;
  const shown = useMemo(() => ({ ...given, spent, front: sweepFront(given.points, spent) }), [given, spent]);
  // The points may still be those of the previous axes, so the axes come from the points' own ranges.
  const [first, second] = shown.vary.map((range) => {
    const spec = axes.find(({ spec: { key } }) => key === range.key)?.spec;
    return spec === undefined ? undefined : { spec, range };
  });
  if (first === undefined || (shown.vary.length > 1 && second === undefined)) {
    return <Skeleton className="mx-4 my-2 h-80" />;
  }
  return (
    <PointedProvider>
      <div className="px-4 py-2" ref={map}>
        <MapHead shown={shown}>
          <ExportMenu name={t("map.title")} note={note} image={map} />
        </MapHead>
        {second === undefined ? (
          <Curve shown={shown} axis={first} testId={testId} />
        ) : (
          <HeatMap shown={shown} first={first} second={second} testId={testId} />
        )}
        <OwnKey shown={shown} testId={testId} />
        <PointReadout shown={shown} />
      </div>
      <div className="relative border-t border-line px-4 py-3" ref={pareto}>
        <ParetoChart shown={shown} testId={testId} />
        <span className="flex justify-end">
          <ExportMenu name={t("pareto.title", { spent: words.metric(spent) })} note={note} image={pareto} />
        </span>
      </div>
      <PointsTable result={shown} testId={`${testId}points-table`} {...(label !== undefined && { label })} />
    </PointedProvider>
  );
}

/** Meaning of the diamond; nothing if the user's own settings are not one of the points. */
function OwnKey({ shown, testId }: Pick<PointChartsProps, "shown" | "testId">) {
  const t = useTranslations("sweep.map");
  const { isOwn, ownPlaces } = useSweepData();
  const format = useFormat();
  if (!shown.points.some(isOwn)) return null;
  return (
    <p className="flex items-center gap-2 pt-1 text-sm text-t2" data-testid={`${testId}own-key`}>
      <span aria-hidden className="mx-1 size-2 shrink-0 rotate-45 border border-t1" />
      {t("ownFrom", { places: format.list(ownPlaces.map((place) => t("ownPlace", place))) })}
    </p>
  );
}

const HEIGHT = 260;
const MARGIN = { top: 12, right: 16, bottom: 4, left: 0 };

interface CurveProps {
  readonly shown: ShownPoints;
  readonly axis: Axis;
  readonly testId: string;
}

/** A metric over one setting. Pressing a dot opens its point; for the keyboard there is the table. */
const Curve = memo(function Curve({ shown, axis, testId }: CurveProps) {
  const t = useTranslations("sweep.map");
  const policy = usePolicyWords();
  const words = useSweepWords();
  const format = useFormat();
  const { metric } = useSweepData();
  const rows = shown.points.map((point) => ({
    x: point.set[axis.spec.key] ?? 0,
    // A point without the metric leaves a gap.
    y: point.metrics[metric],
    best: metric === "costUsd" ? point.metrics.bestUsd : null,
  }));
  const bests = rows.flatMap(({ best }) => best ?? []);
  return (
    <figure aria-label={t("title")}>
      <ChartBox
        label={t("curve", { metric: words.metric(metric), across: policy.setting(axis.spec) })}
        testId={`${testId}curve`}
        height={HEIGHT}
      >
        {({ width, height }) => (
          <LineChart width={width} height={height} data={rows} margin={MARGIN} accessibilityLayer={false}>
            <CartesianGrid stroke="var(--line)" vertical={false} />
            <XAxis
              dataKey="x"
              type="number"
              height={20}
              domain={["dataMin", "dataMax"]}
              tickFormatter={(value: number) => words.tick(axis.spec, value)}
              {...AXIS}
            />
            <YAxis
              tickFormatter={(value: number) => tickMetric(metricOf(metric), value, format)}
              {...AXIS}
              width={52}
            />
            {bests.length > 0 && (
              <Line
                dataKey="best"
                stroke="var(--t1)"
                strokeWidth={1.5}
                strokeDasharray={BEST_DASH}
                isAnimationActive={false}
                activeDot={false}
                dot={false}
              />
            )}
            <Line
              dataKey="y"
              stroke="var(--t2)"
              strokeWidth={1.5}
              isAnimationActive={false}
              activeDot={false}
              dot={({ cx, cy, index = 0 }) => <PointDot key={index} shown={shown} index={index} cx={cx} cy={cy} />}
            />
          </LineChart>
        )}
      </ChartBox>
      <p className="text-center text-xs text-t2">{words.axis(axis.spec)}</p>
      {bests.length > 0 && (
        <BestKey
          low={Math.min(...bests)}
          high={Math.max(...bests)}
          band={shown.points.find(({ bands }) => bands.bestUsd !== undefined)?.bands.bestUsd}
          testId={`${testId}best-line`}
        />
      )}
    </figure>
  );
});

interface BestKeyProps {
  readonly low: number;
  readonly high: number;
  /** Range of a value, which also says whether all values are lower bounds. */
  readonly band: Band | undefined;
  readonly testId: string;
}

/** Meaning of the dashed line: the cost of the hindsight optimum. */
function BestKey({ low, high, band, testId }: BestKeyProps) {
  const t = useTranslations("sweep.map");
  const metric = useTranslations("metrics");
  const words = useSweepWords();
  const [from, to] = [words.metricValue("bestUsd", low, band), words.metricValue("bestUsd", high, band)];
  return (
    <p className="flex items-center gap-1.5 pt-1 text-sm text-t2" title={metric("note.bestUsd")} data-testid={testId}>
      <svg aria-hidden="true" width="20" height="4" className="shrink-0">
        <line x2="20" y1="2" y2="2" stroke="var(--t1)" strokeWidth="1.5" strokeDasharray={BEST_DASH} />
      </svg>
      {from === to ? t("best", { usd: from }) : t("bestBetween", { from, to })}
    </p>
  );
}

const BEST_DASH = "2 3";

/** All metrics of one point: the highlighted one, else the replay panel's. */
export function PointReadout({ shown }: { readonly shown: ShownPoints }) {
  const t = useTranslations("sweep.map");
  const words = useSweepWords();
  const format = useFormat();
  const { isCurrent, isOwn, isBetween } = useSweepData();
  const pointed = usePointed();
  const current = shown.points.findIndex(isCurrent);
  const index = pointed ?? current;
  const point = shown.points[index];
  const metrics = metricsThere(SWEPT_METRICS, shown.points);
  // Every point's metrics take the same space: the chart below must not move from under the pointer.
  const placeholder = shown.points[0];
  const state = [
    index === current ? t("current") : null,
    point !== undefined && isOwn(point) ? t("own") : null,
    hasChoice(shown) && shown.front[index] === true ? t("onFront") : null,
  ].filter((part) => part !== null);
  return (
    <div
      className="mt-2 min-h-32 text-sm sm:min-h-26 xl:min-h-16 text-t2"
      aria-live={pointed === null ? "polite" : "off"}
      data-testid="point-readout"
    >
      {point === undefined ? (
        <>
          <p>{t(isBetween ? "between" : "noneOpen")}</p>
          {placeholder !== undefined && (
            <div aria-hidden className="invisible">
              <Metrics point={placeholder} metrics={metrics} />
            </div>
          )}
        </>
      ) : (
        <>
          <p>
            <span className="font-semibold text-t1">{words.set(point.set)}</span>
            {state.length > 0 && <span className="text-t3"> · {format.list(state)}</span>}
          </p>
          <Metrics point={point} metrics={metrics} />
        </>
      )}
    </div>
  );
}

interface MetricsProps {
  readonly point: ShownPoints["points"][number];
  readonly metrics: typeof SWEPT_METRICS;
}

function Metrics({ point, metrics }: MetricsProps) {
  const words = useSweepWords();
  return (
    <dl className="mt-1 grid grid-cols-[repeat(auto-fill,minmax(124px,1fr))] gap-x-4 gap-y-1">
      {metrics.map((metric) => (
        <div key={metric.key} data-metric={metric.key}>
          <dt className="text-sm text-t3">{words.metric(metric.key)}</dt>
          <dd className="text-t1">
            <MetricValue metric={metric} value={point.metrics[metric.key]} band={point.bands[metric.key]} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
