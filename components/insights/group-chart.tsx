import { useRouter, useSearchParams } from "next/navigation";
import { memo, useMemo, useRef } from "react";
import { Bar, BarChart, CartesianGrid, Tooltip, XAxis, YAxis } from "recharts";
import { useTranslations } from "use-intl";
import { ChartBox } from "@/components/charts/chart-box";
import { AXIS, TOOLTIP } from "@/components/charts/recharts-look";
import { ExportMenu } from "@/components/export/export-menu";
import { useFormat } from "@/components/format/use-format";
import type { Facet } from "@/lib/api/facet-keys";
import { barOf, type Chart, type Group, groupFilter, isCause, partsOf } from "./group-view";
import { sessionsHref } from "./selection";
import { useGroupWords } from "./use-group-words";

const HEIGHT = 150;
const MARGIN = { top: 6, right: 4, bottom: 0, left: 0 };

/** The colours of parts, by what they are: causes have the palette's own, percentiles one hue in steps. */
const COLOURS: Readonly<Record<string, string>> = {
  total: "var(--c-assistant)",
  p50: "var(--c-user)",
  p75: "var(--c-assistant)",
  p95: "var(--c-results)",
  compaction: "var(--c-summary)",
  recorded: "var(--c-memory)",
  model: "var(--c-skills)",
  idle: "var(--c-mcp)",
  resume: "var(--c-builtin)",
  unexplained: "var(--hatch)",
};

interface GroupChartProps {
  readonly chart: Chart;
  readonly by: Facet;
  readonly groups: readonly Group[];
}

/** One figure by group. A bar opens its sessions; the table below the charts does the same for the keyboard. */
export const GroupChart = memo(function GroupChart({ chart, by, groups }: GroupChartProps) {
  const t = useTranslations("insights");
  const words = useGroupWords();
  const format = useFormat();
  const router = useRouter();
  const search = useSearchParams();
  const figure = useRef<HTMLElement>(null);
  const parts = partsOf(chart, groups);
  // Given other rows the chart draws every bar anew, and whoever presses one then presses nothing.
  const rows = useMemo(
    () => groups.map((group, at) => ({ ...barOf(chart, group).parts, at, name: words.group(by, group.value) })),
    [groups, chart, by, words],
  );
  const write = (value: number) => (chart === "cost" ? format.usdShort(value) : format.short(value));
  const open = (group: Group | undefined) => {
    const filter = group && groupFilter(by, group.value);
    if (filter !== undefined) router.push(sessionsHref(search, filter));
  };
  const partName = (part: string) =>
    isCause(part) ? t(`cause.${part}`) : part === "total" ? t(`sums.${chart}`) : part;
  return (
    <figure ref={figure} aria-label={t(`sums.${chart}`)} className="min-w-0" data-chart={chart}>
      <figcaption className="flex flex-wrap gap-x-3 pb-1 text-xs text-t2">
        <span className="font-medium text-t1">{t(`sums.${chart}`)}</span>
        <span className="ml-auto">
          <ExportMenu name={t(`sums.${chart}`)} note={t("sums.lead")} picture={figure} isSmall />
        </span>
      </figcaption>
      <ChartBox label={t("sums.chart", { figure: t(`sums.${chart}`), facet: t(`sums.facet.${by}`) })} height={HEIGHT}>
        {({ width, height }) => (
          <BarChart
            width={width}
            height={height}
            data={rows}
            margin={MARGIN}
            accessibilityLayer={false}
            barGap={0}
            barCategoryGap="15%"
            onClick={({ activeTooltipIndex }) => open(groups[Number(activeTooltipIndex ?? -1)])}
            className="cursor-pointer"
          >
            <CartesianGrid stroke="var(--line)" vertical={false} />
            <XAxis dataKey="name" height={20} {...AXIS} interval="preserveStartEnd" minTickGap={12} />
            <YAxis tickFormatter={write} {...AXIS} width={48} allowDecimals={chart === "cost"} />
            <Tooltip
              cursor={{ fill: "var(--sunk)" }}
              formatter={(value, part) => [typeof value === "number" ? write(value) : "", partName(String(part))]}
              {...TOOLTIP}
            />
            {parts.map((part) => (
              <Bar
                key={part}
                dataKey={part}
                fill={COLOURS[part] ?? "var(--t3)"}
                isAnimationActive={false}
                maxBarSize={36}
                onClick={(_bar, at, event) => {
                  // The chart opens what the pointer was last over, which it may not have noticed yet.
                  event.stopPropagation();
                  open(groups[at]);
                }}
                {...(chart === "breaks" ? { stackId: "causes" } : {})}
              />
            ))}
          </BarChart>
        )}
      </ChartBox>
      {parts.length > 1 && (
        <p className="flex flex-wrap gap-x-3 text-xs text-t2">
          {parts.map((part) => (
            <span key={part} className="flex items-center gap-1">
              <span aria-hidden className="inline-block size-2.5 rounded-[2px]" style={{ background: COLOURS[part] }} />
              {partName(part)}
            </span>
          ))}
        </p>
      )}
    </figure>
  );
});
