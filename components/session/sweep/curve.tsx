import { memo } from "react";
import { CartesianGrid, Line, LineChart, XAxis, YAxis } from "recharts";
import { useTranslations } from "use-intl";
import { ChartBox } from "@/components/charts/chart-box";
import { AXIS } from "@/components/charts/recharts-look";
import { tickFigure } from "@/components/format/figures";
import { useFormat } from "@/components/format/use-format";
import { usePolicyWords } from "@/components/settings/use-words";
import type { Band } from "@/lib/core/figures/figure";
import { figureOf } from "@/lib/core/figures/values";
import type { Axis } from "./axes";
import { PointDot } from "./point-dot";
import type { ShownPoints } from "./points";
import { useSweepData } from "./sweep-data";
import { useSweepWords } from "./use-sweep-words";

const HEIGHT = 260;
const MARGIN = { top: 12, right: 16, bottom: 4, left: 0 };

interface CurveProps {
  readonly shown: ShownPoints;
  readonly axis: Axis;
  readonly testId: string;
}

/** A figure over one setting. Pressing a dot opens its point; the table does the same for the keyboard. */
export const Curve = memo(function Curve({ shown, axis, testId }: CurveProps) {
  const t = useTranslations("sweep.map");
  const policy = usePolicyWords();
  const words = useSweepWords();
  const format = useFormat();
  const { metric } = useSweepData();
  const rows = shown.points.map((point) => ({
    x: point.set[axis.spec.key] ?? 0,
    // A point without the figure leaves a gap.
    y: point.figures[metric],
    best: metric === "costUsd" ? point.figures.bestUsd : null,
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
              tickFormatter={(value: number) => tickFigure(figureOf(metric), value, format)}
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
  /** Of one of them: says whether they are lower bounds. */
  readonly band: Band | undefined;
  readonly testId: string;
}

/** What the dashed line is: costs with compactions at the best times, below which no point comes but by what earlier compactions left. */
function BestKey({ low, high, band, testId }: BestKeyProps) {
  const t = useTranslations("sweep.map");
  const figure = useTranslations("figures");
  const words = useSweepWords();
  const [from, to] = [words.figure("bestUsd", low, band), words.figure("bestUsd", high, band)];
  return (
    <p className="flex items-center gap-1.5 pt-1 text-xs text-t2" title={figure("note.bestUsd")} data-testid={testId}>
      <svg aria-hidden="true" width="20" height="4" className="shrink-0">
        <line x2="20" y1="2" y2="2" stroke="var(--t1)" strokeWidth="1.5" strokeDasharray={BEST_DASH} />
      </svg>
      {from === to ? t("best", { usd: from }) : t("bestBetween", { from, to })}
    </p>
  );
}

const BEST_DASH = "2 3";
