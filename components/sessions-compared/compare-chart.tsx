"use client";

import { memo, useRef } from "react";
import { CartesianGrid, Line, LineChart, Tooltip, XAxis, YAxis } from "recharts";
import { useTranslations } from "use-intl";
import { ChartBox } from "@/components/charts/chart-box";
import { AXIS, TOOLTIP } from "@/components/charts/recharts-look";
import { ExportMenu } from "@/components/export/export-menu";
import { useFormat } from "@/components/format/use-format";
import { runStyle } from "@/components/session/compare/run-style";
import { type Across, type ComparedSession, lineOf, nameOf, seriesOf, type Upwards } from "./compared-sessions";

interface CompareChartProps {
  readonly sessions: readonly ComparedSession[];
  readonly across: Across;
  readonly upwards: Upwards;
}

const MARGIN = { top: 12, right: 16, bottom: 4, left: 4 };

/** The context of every session as steps on one pair of axes. Its numbers are in the table below. */
export const CompareChart = memo(function CompareChart({ sessions, across, upwards }: CompareChartProps) {
  const t = useTranslations("sessions.compare");
  const format = useFormat();
  const figure = useRef<HTMLElement>(null);
  const writeX = (x: number) => (across === "share" ? format.percent(x) : format.count(x));
  const writeY = (y: number) => (upwards === "window" ? format.percent(y) : format.short(y));
  return (
    <figure ref={figure} aria-label={t("chart")} className="min-w-0">
      <ChartBox
        label={t("chartOf", { count: sessions.length })}
        className="h-[clamp(220px,42dvh,520px)] overflow-hidden"
      >
        {({ width, height }) => (
          <LineChart width={width} height={height} margin={MARGIN} accessibilityLayer={false}>
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis
              type="number"
              dataKey="x"
              domain={across === "share" ? [0, 1] : [0, "dataMax"]}
              allowDuplicatedCategory={false}
              tickFormatter={writeX}
              {...AXIS}
              height={22}
            />
            <YAxis
              type="number"
              dataKey="y"
              domain={[0, upwards === "window" ? 1 : "auto"]}
              tickFormatter={writeY}
              {...AXIS}
              width={44}
            />
            <Tooltip
              labelFormatter={(x) => (typeof x === "number" ? writeX(x) : "")}
              formatter={(y) => (typeof y === "number" ? writeY(y) : "")}
              {...TOOLTIP}
            />
            {sessions.map((session) => {
              const { letter, colour, dash } = runStyle(session.place);
              return (
                <Line
                  key={session.id}
                  name={letter}
                  data={lineOf(session, across, upwards)}
                  dataKey="y"
                  type="stepAfter"
                  stroke={colour}
                  strokeWidth={1.75}
                  {...(dash !== undefined && { strokeDasharray: dash })}
                  dot={false}
                  isAnimationActive={false}
                />
              );
            })}
          </LineChart>
        )}
      </ChartBox>
      <figcaption className="relative text-center text-xs text-t3">
        {t(`across.${across}`)}
        <span className="absolute -top-1 right-3">
          <ExportMenu
            name={t("chart")}
            note={format.clauses(sessions.map(nameIn))}
            picture={figure}
            table={() => ({ heads: [t("across.request"), ...sessions.map(nameIn)], rows: seriesOf(sessions) })}
          />
        </span>
      </figcaption>
    </figure>
  );
});

/** A session as the legend has it: its letter and its title. */
function nameIn(session: ComparedSession): string {
  return `${runStyle(session.place).letter} ${nameOf(session)}`;
}
