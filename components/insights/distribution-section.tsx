import Link from "next/link";
import { useSearchParams } from "next/navigation";
import { useRef } from "react";
import { CartesianGrid, Line, LineChart, ReferenceLine, Tooltip, XAxis, YAxis } from "recharts";
import { useTranslations } from "use-intl";
import { AXIS, ChartBox, TOOLTIP } from "@/components/charts/chart-box";
import { axisTop, ticks } from "@/components/charts/scale";
import { ExportMenu } from "@/components/export/export-menu";
import { useFormat } from "@/components/format/use-format";
import type { InsightsAnswer } from "@/lib/queries/contract/types";
import { type Distribution, percentileOf } from "./group-view";
import { sessionsHref } from "./selection";

const METRICS = ["peak", "cost", "requests"] as const;
type Metric = (typeof METRICS)[number];
const PERCENTILES = [50, 75, 95] as const;
const HEIGHT = 150;
const MARGIN = { top: 6, right: 8, bottom: 0, left: 0 };

/** Distribution of the sessions: their shares up to each value, and the percentiles, which open the sessions beyond them. */
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
          <Ecdf key={metric} metric={metric} distribution={distributions[metric]} />
        ))}
      </div>
    </section>
  );
}

function Ecdf({ metric, distribution }: { readonly metric: Metric; readonly distribution: Distribution }) {
  const t = useTranslations("insights.distribution");
  const format = useFormat();
  const { sessions, unknown, points } = distribution;
  const write = (value: number) => (metric === "cost" ? format.usd(value) : format.short(value));
  const writeShort = (value: number) => (metric === "cost" ? format.usdShort(value) : format.short(value));
  const at = (percent: number) => percentileOf(distribution, percent / 100);
  const median = at(50);
  const picture = useRef<HTMLElement>(null);
  const rows = points.map(([value, place]) => ({ x: value, y: place / sessions }));
  const axis = axisUpTo(points.at(-1)?.[0] ?? 0, metric === "cost" ? MICROS : 1);
  return (
    <figure ref={picture} aria-label={t(metric)} className="min-w-0" data-distribution={metric}>
      <figcaption className="flex flex-wrap gap-x-3 pb-1 text-xs text-t2">
        <span className="font-medium text-t1">{t(metric)}</span>
        <span>{t("of", { sessions, unknown })}</span>
        <span className="ml-auto">
          <ExportMenu
            name={t(metric)}
            note={`${t("lead")} ${t("of", { sessions, unknown })}`}
            picture={picture}
            table={() => ({ heads: [t(metric), t("upTo")], rows: rows.map(({ x, y }) => [x, y]) })}
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
            {({ width, height }) => (
              <LineChart
                width={width}
                height={height}
                data={[...rows, { x: axis.top, y: 1 }]}
                margin={MARGIN}
                accessibilityLayer={false}
              >
                <CartesianGrid stroke="var(--line)" vertical={false} />
                <XAxis
                  dataKey="x"
                  type="number"
                  height={20}
                  domain={[0, axis.top]}
                  ticks={axis.ticks}
                  tickFormatter={writeShort}
                  {...AXIS}
                />
                <YAxis
                  domain={[0, 1]}
                  ticks={[0, 0.5, 1]}
                  tickFormatter={(share: number) => format.percent(share)}
                  {...AXIS}
                  width={48}
                />
                <Tooltip
                  labelFormatter={(x) => (typeof x === "number" ? write(x) : "")}
                  formatter={(y) => [typeof y === "number" ? format.percent(y) : "", ""]}
                  separator=""
                  {...TOOLTIP}
                />
                {PERCENTILES.map((percent) => (
                  <ReferenceLine key={percent} x={at(percent) ?? 0} stroke="var(--line2)" strokeDasharray="3 3" />
                ))}
                <Line
                  dataKey="y"
                  type="stepAfter"
                  stroke="var(--c-user)"
                  strokeWidth={1.75}
                  dot={false}
                  isAnimationActive={false}
                />
              </LineChart>
            )}
          </ChartBox>
          <Percentiles metric={metric} write={write} at={at} />
        </>
      )}
    </figure>
  );
}

/** Axes are in whole numbers, which dollars are not. */
const MICROS = 1e6;

/**
 * An axis from 0 to beyond a value.
 * @param units to one of the value, all of them whole
 */
function axisUpTo(most: number, units: number) {
  const top = axisTop(most * units);
  return { top: top / units, ticks: ticks([0, top], 4).map((tick) => tick / units) };
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
