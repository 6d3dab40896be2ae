import { memo } from "react";
import { CartesianGrid, Scatter, ScatterChart, XAxis, YAxis } from "recharts";
import { useTranslations } from "use-intl";
import { AXIS, ChartBox } from "@/components/charts/chart-box";
import { axisAround } from "@/components/charts/scale";
import { tickMetric } from "@/components/format/metrics";
import { useFormat } from "@/components/format/use-format";
import { ToggleGroup } from "@/components/ui/toggle-group";
import { metricOf } from "@/lib/core/metrics/values";
import { SPENT } from "./axes";
import { PointDot } from "./pointed";
import { allAlike, paretoDots, type ShownPoints } from "./points";
import { useSweepData } from "./sweep-data";
import { useSweepWords } from "./use-sweep-words";

const HEIGHT = 260;
const MARGIN = { top: 12, right: 16, bottom: 4, left: 0 };

interface ParetoChartProps {
  readonly shown: ShownPoints;
  readonly testId: string;
}

/** Tokens sent, or their cost, against tokens kept: every point of the sweep, and the Pareto front. */
export const ParetoChart = memo(function ParetoChart({ shown, testId }: ParetoChartProps) {
  const t = useTranslations("sweep.pareto");
  const words = useSweepWords();
  const format = useFormat();
  const { setSpent } = useSweepData();
  const spent = shown.spent ?? "tokensSent";
  const rows = paretoDots(shown.points, spent);
  const front = rows.filter(({ index }) => shown.front[index]).sort((a, b) => a.x - b.x || a.y - b.y);
  const behind = rows.filter(({ index }) => shown.front[index] !== true);
  const across = (width: number) =>
    axisAround(
      rows.map(({ x }) => x),
      Math.max(2, Math.floor(width / 90)),
    );
  const up = axisAround(
    rows.map(({ y }) => y),
    5,
  );
  const dot = ({ cx, cy, payload }: ShapeProps) => (
    <PointDot shown={shown} index={payload?.index ?? 0} cx={cx} cy={cy} />
  );
  return (
    <figure aria-label={t("title", { spent: words.metric(spent) })}>
      <figcaption className="flex flex-wrap items-center gap-x-4 pb-1 text-sm text-t2">
        <span className="grow">{t("up")}</span>
        <ToggleGroup
          label={t("spent")}
          value={spent}
          options={SPENT.map((one) => [one, words.metric(one)])}
          onChange={setSpent}
        />
        <Key label={t("front", { count: front.length, total: shown.points.length })} colour="var(--t1)" />
        <Key label={t("current")} colour="var(--accent)" />
      </figcaption>
      <ChartBox
        label={t("label", { spent: words.metric(spent), count: front.length, total: shown.points.length })}
        testId={`${testId}pareto`}
        height={HEIGHT}
      >
        {({ width, height }) => (
          <ScatterChart width={width} height={height} margin={MARGIN} accessibilityLayer={false}>
            <CartesianGrid stroke="var(--line)" />
            <XAxis
              dataKey="x"
              type="number"
              height={20}
              {...across(width)}
              tickFormatter={(value: number) => tickMetric(metricOf(spent), value, format)}
              {...AXIS}
            />
            <YAxis
              dataKey="y"
              type="number"
              domain={up.domain}
              ticks={up.ticks}
              tickFormatter={format.short}
              {...AXIS}
              width={52}
            />
            <Scatter data={behind} isAnimationActive={false} shape={dot} />
            <Scatter
              data={front}
              isAnimationActive={false}
              line={{ stroke: "var(--t1)", strokeWidth: 1.5 }}
              lineJointType="stepAfter"
              shape={dot}
            />
          </ScatterChart>
        )}
      </ChartBox>
      <div className="flex flex-wrap justify-end gap-x-4 text-t2">
        <AlikeLine shown={shown} />
        {rows.length < shown.points.length && (
          <p className="grow text-sm" data-testid={`${testId}pareto-left-out`}>
            {t("leftOut", { count: shown.points.length - rows.length })}
          </p>
        )}
        <p className="text-sm">{t("across", { spent: words.metric(spent) })}</p>
      </div>
    </figure>
  );
});

/** Explains a flat chart. */
function AlikeLine({ shown }: { readonly shown: ShownPoints }) {
  const t = useTranslations("sweep.pareto");
  const format = useFormat();
  const alike = allAlike(shown.points);
  if (alike === undefined) return null;
  return (
    <p className="grow text-sm" data-testid="pareto-alike">
      {alike.kind === "noneCompacts"
        ? t("noneCompacts")
        : t("sameKept", { tokens: format.count(alike.tokens), spent: shown.spent ?? "tokensSent" })}
    </p>
  );
}

/** The fields from Recharts that a shape uses here. */
interface ShapeProps {
  readonly cx?: number | undefined;
  readonly cy?: number | undefined;
  readonly payload?: { readonly index?: number };
}

function Key({ label, colour }: { readonly label: string; readonly colour: string }) {
  return (
    <span className="flex items-center gap-1.5">
      <svg aria-hidden="true" viewBox="0 0 10 10" className="size-2.5">
        <circle cx="5" cy="5" r="3.75" fill="var(--bg)" stroke={colour} strokeWidth="2" />
      </svg>
      {label}
    </span>
  );
}
