import Link from "next/link";
import { useSearchParams } from "next/navigation";
import { useRef } from "react";
import { CartesianGrid, Line, LineChart, ReferenceLine, Tooltip, XAxis, YAxis } from "recharts";
import { useTranslations } from "use-intl";
import { useSize } from "@/components/charts/use-size";
import { ExportMenu } from "@/components/export/export-menu";
import { useFormat } from "@/components/format/use-format";
import type { InsightsAnswer } from "@/lib/api/types";
import { type Distribution, percentileOf } from "./group-view";
import { sessionsHref } from "./selection";

const FIGURES = ["peak", "cost", "requests"] as const;
type Figure = (typeof FIGURES)[number];
const PERCENTILES = [50, 75, 95] as const;
const HEIGHT = 150;
const MARGIN = { top: 6, right: 8, bottom: 0, left: 0 };
const TICK = { fill: "var(--t2)", fontSize: 11 };
const CARD = {
  background: "var(--float)",
  border: "1px solid var(--line2)",
  borderRadius: 6,
  color: "var(--t1)",
  fontSize: 12,
  padding: "4px 8px",
};

/** How the sessions are distributed: their shares up to each value, and the percentiles, which open the sessions beyond them. */
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
        {FIGURES.map((figure) => (
          <Ecdf key={figure} figure={figure} distribution={distributions[figure]} />
        ))}
      </div>
    </section>
  );
}

function Ecdf({ figure, distribution }: { readonly figure: Figure; readonly distribution: Distribution }) {
  const t = useTranslations("insights.distribution");
  const format = useFormat();
  const [ref, { width }] = useSize<HTMLDivElement>();
  const { sessions, unknown, points } = distribution;
  const write = (value: number) => (figure === "cost" ? format.usd(value) : format.short(value));
  const at = (percent: number) => percentileOf(distribution, percent / 100);
  const median = at(50);
  const picture = useRef<HTMLElement>(null);
  const rows = points.map(([value, place]) => ({ x: value, y: place / sessions }));
  return (
    <figure ref={picture} aria-label={t(figure)} className="min-w-0" data-distribution={figure}>
      <figcaption className="flex flex-wrap gap-x-3 pb-1 text-xs text-t2">
        <span className="font-medium text-t1">{t(figure)}</span>
        <span>{t("of", { sessions, unknown })}</span>
        <span className="ml-auto">
          <ExportMenu
            name={t(figure)}
            note={`${t("lead")} ${t("of", { sessions, unknown })}`}
            picture={picture}
            table={() => ({ heads: [t(figure), t("upTo")], rows: rows.map(({ x, y }) => [x, y]) })}
            isSmall
          />
        </span>
      </figcaption>
      {median === undefined ? (
        <p className="text-sm text-t2">{t("empty")}</p>
      ) : (
        <>
          <div
            ref={ref}
            role="img"
            aria-label={t("chart", { figure: t(figure), p50: write(median), p95: write(at(95) ?? median) })}
            style={{ height: HEIGHT }}
          >
            {width > 0 && (
              <LineChart width={width} height={HEIGHT} data={rows} margin={MARGIN} accessibilityLayer={false}>
                <CartesianGrid stroke="var(--line)" vertical={false} />
                <XAxis
                  dataKey="x"
                  type="number"
                  height={20}
                  domain={[0, "dataMax"]}
                  tickFormatter={write}
                  tick={TICK}
                  stroke="var(--line2)"
                />
                <YAxis
                  domain={[0, 1]}
                  ticks={[0, 0.5, 1]}
                  tickFormatter={(share: number) => format.percent(share)}
                  tick={TICK}
                  stroke="var(--line2)"
                  width={48}
                />
                <Tooltip
                  isAnimationActive={false}
                  labelFormatter={(x) => (typeof x === "number" ? write(x) : "")}
                  formatter={(y) => [typeof y === "number" ? format.percent(y) : "", ""]}
                  separator=""
                  contentStyle={CARD}
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
          </div>
          <Percentiles figure={figure} write={write} at={at} />
        </>
      )}
    </figure>
  );
}

interface PercentilesProps {
  readonly figure: Figure;
  readonly write: (value: number) => string;
  readonly at: (percent: number) => number | undefined;
}

function Percentiles({ figure, write, at }: PercentilesProps) {
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
              href={sessionsHref(search, { where: `${figure}>=${value}` })}
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
