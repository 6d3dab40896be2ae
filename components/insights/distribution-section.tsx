import Link from "next/link";
import { useRouter, useSearchParams } from "next/navigation";
import { useRef } from "react";
import { Bar, BarChart, CartesianGrid, Tooltip, XAxis, YAxis } from "recharts";
import { useTranslations } from "use-intl";
import { AXIS, ChartBox, TOOLTIP } from "@/components/charts/chart-box";
import { axisUpTo } from "@/components/charts/scale";
import { ExportMenu } from "@/components/export/export-menu";
import { useFormat } from "@/components/format/use-format";
import type { InsightsAnswer } from "@/lib/queries/contract/types";
import { type Bin, binsOf, type Distribution, evenEdges, growingEdges, percentileOf } from "./group-view";
import { sessionsHref } from "./selection";

const METRICS = ["peak", "cost", "requests"] as const;
type Metric = (typeof METRICS)[number];
const EDGES = { peak: evenEdges, cost: growingEdges, requests: growingEdges } as const;
const PERCENTILES = [50, 75, 95] as const;
const HEIGHT = 150;
const MARGIN = { top: 6, right: 8, bottom: 0, left: 0 };

/** Distribution of the sessions: histograms, and the percentiles, which open the sessions beyond them. */
export function DistributionSection({ distributions }: Pick<InsightsAnswer, "distributions">) {
  const t = useTranslations("insights.distribution");
  return (
    <section
      aria-labelledby="insights-distribution"
      className="border-b border-line px-4 py-4"
      data-testid="distributions"
    >
      <h2 id="insights-distribution" className="text-base font-semibold">
        {t("title")}
      </h2>
      <p className="max-w-180 pb-3 text-sm text-t2">{t("lead")}</p>
      <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2 xl:grid-cols-3">
        {METRICS.map((metric) => (
          <Histogram key={metric} metric={metric} distribution={distributions[metric]} />
        ))}
      </div>
    </section>
  );
}

function Histogram({ metric, distribution }: { readonly metric: Metric; readonly distribution: Distribution }) {
  const t = useTranslations("insights.distribution");
  const format = useFormat();
  const { sessions, unknown } = distribution;
  const write = (value: number) => (metric === "cost" ? format.usd(value) : format.short(value));
  const at = (percent: number) => percentileOf(distribution, percent / 100);
  const median = at(50);
  const image = useRef<HTMLElement>(null);
  const bins = binsOf(distribution, EDGES[metric](distribution));
  return (
    <figure ref={image} aria-label={t(metric)} className="min-w-0" data-distribution={metric}>
      <figcaption className="flex flex-wrap gap-x-3 pb-1 text-xs text-t2">
        <span className="font-medium text-t1">{t(metric)}</span>
        <span>{t("of", { sessions, unknown })}</span>
        <span className="ml-auto">
          <ExportMenu
            name={t(metric)}
            note={`${t("lead")} ${t("of", { sessions, unknown })}`}
            image={image}
            table={() => ({
              heads: [t("from"), t("to"), t("sessions")],
              rows: bins.map(({ from, to, sessions: count }) => [from, to, count]),
            })}
            isSmall
          />
        </span>
      </figcaption>
      {median === undefined ? (
        <p className="text-sm text-t2">{t("empty")}</p>
      ) : (
        <>
          <ChartBox
            label={t("chart", { metric: t(metric), p50: write(median), p95: write(at(95) ?? median) })}
            height={HEIGHT}
          >
            {(size) => <Bars metric={metric} bins={bins} {...size} />}
          </ChartBox>
          <Percentiles metric={metric} write={write} at={at} />
        </>
      )}
    </figure>
  );
}

interface BarsProps {
  readonly metric: Metric;
  readonly bins: readonly Bin[];
  readonly width: number;
  readonly height: number;
}

/** A bar opens its sessions. The axis is labelled at the edges between bars; labels that would overlap are left out at equal distances. */
function Bars({ metric, bins, width, height }: BarsProps) {
  const t = useTranslations("insights.distribution");
  const format = useFormat();
  const router = useRouter();
  const search = useSearchParams();
  const edge = (value: number) => (metric === "cost" ? format.usdShort(value) : format.short(value));
  const rows = bins.map(({ from, to, sessions }, at) => ({ at, name: `${edge(from)}–${edge(to)}`, sessions }));
  const edges = [...bins.map(({ from }) => from), ...bins.slice(-1).map(({ to }) => to)];
  const axis = axisUpTo(Math.max(...bins.map(({ sessions }) => sessions)), 4);
  const open = (bin: Bin | undefined) => {
    if (bin === undefined) return;
    router.push(sessionsHref(search, { where: [`${metric}>=${bin.from}`, `${metric}<${bin.to}`] }));
  };
  return (
    <BarChart
      width={width}
      height={height}
      data={rows}
      margin={MARGIN}
      accessibilityLayer={false}
      barCategoryGap={2}
      onClick={({ activeTooltipIndex }) => open(bins[Number(activeTooltipIndex ?? -1)])}
      className="cursor-pointer"
    >
      <CartesianGrid stroke="var(--line)" vertical={false} />
      <XAxis
        dataKey="at"
        type="number"
        height={20}
        domain={[-0.5, bins.length - 0.5]}
        ticks={edges.map((_, at) => at - 0.5)}
        tickFormatter={(tick: number) => edge(edges[tick + 0.5] ?? 0)}
        interval="equidistantPreserveStart"
        {...AXIS}
      />
      <YAxis domain={[0, axis.top]} ticks={axis.ticks} {...AXIS} width={32} />
      <Tooltip
        cursor={{ fill: "var(--sunk)" }}
        labelFormatter={(label, [row]) => row?.payload.name ?? label}
        formatter={(value) => [t("of", { sessions: Number(value), unknown: 0 }), ""]}
        separator=""
        {...TOOLTIP}
      />
      <Bar dataKey="sessions" fill="var(--c-assistant)" isAnimationActive={false} />
    </BarChart>
  );
}

interface PercentilesProps {
  readonly metric: Metric;
  readonly write: (value: number) => string;
  readonly at: (percent: number) => number | undefined;
}

function Percentiles({ metric, write, at }: PercentilesProps) {
  const t = useTranslations("insights.distribution");
  const search = useSearchParams();
  return (
    <ul className="flex flex-wrap gap-x-4 text-sm">
      {PERCENTILES.map((percent) => {
        const value = at(percent);
        if (value === undefined) return null;
        return (
          <li key={percent}>
            <span className="text-t3">{t("percentile", { percent })}</span>{" "}
            <Link
              href={sessionsHref(search, { where: `${metric}>=${value}` })}
              prefetch={false}
              aria-label={t("open", { value: write(value) })}
              className="font-medium underline underline-offset-2"
            >
              {write(value)}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
