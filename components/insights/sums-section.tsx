import Link from "next/link";
import { useRouter, useSearchParams } from "next/navigation";
import { memo, useMemo, useRef, useState } from "react";
import { Bar, BarChart, CartesianGrid, Tooltip, XAxis, YAxis } from "recharts";
import { useLocale, useTranslations } from "use-intl";
import { AXIS, ChartBox, TOOLTIP } from "@/components/charts/chart-box";
import { axisUpTo } from "@/components/charts/scale";
import { ExportMenu } from "@/components/export/export-menu";
import { ExportedTable } from "@/components/export/exported-table";
import { UnpricedModels } from "@/components/format/unpriced-models";
import { useFormat } from "@/components/format/use-format";
import { Value } from "@/components/format/value";
import { Button } from "@/components/ui/button";
import { ScrollRegion } from "@/components/ui/table";
import { ToggleGroup } from "@/components/ui/toggle-group";
import { agentName } from "@/lib/agents/agents";
import { FACETS, type Facet } from "@/lib/core/base/facet-keys";
import type { InsightsAnswer } from "@/lib/queries/contract/types";
import { isLowerBoundSum } from "@/lib/queries/wire/least";
import { projectName } from "@/lib/queries/wire/project-name";
import { dayInstant, dayNumber, dayTicks } from "./day-axis";
import {
  barOf,
  CHARTS,
  type Chart,
  drawnGroups,
  type Group,
  groupFilter,
  isCause,
  partsOf,
  writtenPart,
} from "./group-view";
import { sessionsHref } from "./selection";

interface SumsSectionProps {
  readonly insights: InsightsAnswer;
  readonly onBy: (by: Facet) => void;
}

/** Small multiples of the recordings, by day, project, agent, model or version; the table has their numbers. */
export function SumsSection({ insights: { by, groups, total }, onBy }: SumsSectionProps) {
  const t = useTranslations("insights.sums");
  const [isTable, setTable] = useState(false);
  const drawn = useMemo(() => drawnGroups(groups, by), [groups, by]);
  const undated = by === "day" ? groups.find(({ value }) => value === null) : undefined;
  const dated = groups.length - (undated === undefined ? 0 : 1);
  return (
    <section aria-labelledby="insights-sums" className="border-b border-line px-4 py-4" data-testid="sums">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 pb-2">
        <h2 id="insights-sums" className="text-base font-semibold">
          {t("title")}
        </h2>
        <ToggleGroup
          label={t("by")}
          value={by}
          options={FACETS.map((one) => [one, t(`facet.${one}`)] as const)}
          onChange={onBy}
          className="max-w-full overflow-x-auto"
        />
        <Button variant="ghost" aria-expanded={isTable} onClick={() => setTable(!isTable)}>
          {t(isTable ? "tableHide" : "table")}
        </Button>
      </div>
      <p className="pb-2 text-sm text-t2">
        {t("lead")}
        {dated > drawn.length &&
          ` ${by === "day" ? t("more", { count: drawn.length, first: drawn[0]?.value ?? "", last: drawn.at(-1)?.value ?? "" }) : t("mostFrequent", { count: drawn.length })}`}
        {undated !== undefined && ` ${t("undated", { count: undated.sessions })}`}
        {total.lowerBounds > 0 && ` ${t("lowerBounds", { count: total.lowerBounds })}`}
        {total.unpriced > 0 && ` ${t("unpriced", { count: total.unpriced })}`}
      </p>
      <UnpricedModels models={total.unpricedModels ?? []} className="pb-2 text-sm text-t2" />
      <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2 xl:grid-cols-3">
        {CHARTS.map((chart) => (
          <GroupChart key={chart} chart={chart} by={by} groups={drawn} />
        ))}
      </div>
      {isTable && <GroupsTable by={by} groups={groups} />}
    </section>
  );
}

const HEIGHT = 150;
const MARGIN = { top: 6, right: 4, bottom: 0, left: 0 };

/** The colours of parts by meaning: causes have the palette's own, percentiles one hue in steps. */
const COLOURS: Readonly<Record<string, string>> = {
  total: "var(--c-assistant)",
  p50: "var(--c-assistant)",
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

/** One metric by group. A bar opens its sessions; the table below the charts does the same for the keyboard. */
const GroupChart = memo(function GroupChart({ chart, by, groups }: GroupChartProps) {
  const t = useTranslations("insights");
  const words = useGroupWords();
  const format = useFormat();
  const router = useRouter();
  const search = useSearchParams();
  const figure = useRef<HTMLElement>(null);
  const parts = partsOf(chart, groups);
  // New rows make the chart replace every bar, and a click on a replaced bar is lost.
  const bars = useMemo(() => groups.map((group) => barOf(chart, group)), [groups, chart]);
  const rows = useMemo(
    () =>
      bars.map(({ group, parts }, at) => ({
        ...parts,
        at,
        name: words.group(by, group.value),
        day: by === "day" ? dayNumber(group.value ?? "") : 0,
      })),
    [bars, by, words],
  );
  const days = useDayAxis(by === "day" ? rows : []);
  const axis = axisUpTo(Math.max(0, ...bars.map(({ total }) => total ?? 0)), 4, chart === "cost" ? MICROS : 1);
  const write = (value: number) => (chart === "cost" ? format.usdShort(value) : format.short(value));
  const writeExactly = (value: number) => (chart === "cost" ? format.usd(value) : format.sum(value));
  const open = (group: Group | undefined) => {
    const filter = group && groupFilter(by, group.value);
    if (filter !== undefined) router.push(sessionsHref(search, filter));
  };
  const partName = (part: string) =>
    isCause(part)
      ? t(`cause.${part}`)
      : part === "total"
        ? t(`sums.${chart}`)
        : t(`sums.percentile.${part}` as "sums.percentile.p50"); // The parts of peaks.
  return (
    <figure ref={figure} aria-label={t(`sums.${chart}`)} className="min-w-0" data-chart={chart}>
      <figcaption className="flex flex-wrap gap-x-3 pb-1 text-xs text-t2">
        <span className="font-medium text-t1">{t(`sums.${chart}`)}</span>
        <span className="ml-auto">
          <ExportMenu name={t(`sums.${chart}`)} note={t("sums.lead")} image={figure} isSmall />
        </span>
      </figcaption>
      <ChartBox label={t("sums.chart", { metric: t(`sums.${chart}`), facet: t(`sums.facet.${by}`) })} height={HEIGHT}>
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
            {days === undefined ? (
              <XAxis dataKey="name" height={20} {...AXIS} interval="preserveStartEnd" minTickGap={12} />
            ) : (
              <XAxis
                dataKey="day"
                type="number"
                height={20}
                domain={days.domain}
                ticks={days.ticks(width - AXIS_WIDTH)}
                tickFormatter={days.write}
                interval="preserveStartEnd"
                {...AXIS}
              />
            )}
            <YAxis domain={[0, axis.top]} ticks={axis.ticks} tickFormatter={write} {...AXIS} width={AXIS_WIDTH} />
            <Tooltip
              cursor={days === undefined && { fill: "var(--sunk)" }}
              labelFormatter={(label, [row]) => row?.payload.name ?? label}
              formatter={(_value, part, { payload }) => {
                const group = groups[Number(payload?.at ?? -1)];
                const known = group && writtenPart(chart, group, String(part));
                return [known === undefined ? "" : writeExactly(known), partName(String(part))];
              }}
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
                  // The chart opens the bar under the last pointer position, which it may not have noticed yet.
                  event.stopPropagation();
                  open(groups[at]);
                }}
                stackId="parts"
                {...(days !== undefined && { shape: <DayBar size={days.barSize(width - AXIS_WIDTH)} /> })}
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

/** Width of the y axis in pixels. */
const AXIS_WIDTH = 48;
/** Tick units in a dollar: ticks are whole numbers of units, and a tick of dollars may be far below 1. */
const MICROS = 1e6;
/** Minimum and maximum width of a day's bar in pixels. */
const BAR = { least: 3, most: 36 } as const;
/** Width that a tick's label needs, in pixels. */
const TICK = 76;

/** An axis of days that leaves space for days without a session; `undefined` without days. */
function useDayAxis(rows: readonly { readonly day: number }[]) {
  const locale = useLocale();
  const [first, last] = [rows[0]?.day, rows.at(-1)?.day];
  if (first === undefined || last === undefined) return undefined;
  const span = last - first + 1;
  const { unit } = dayTicks(first, last, 1);
  const label = new Intl.DateTimeFormat(locale, {
    ...({ month: "short", timeZone: "UTC" } as const),
    ...(unit === "day" ? ({ day: "numeric" } as const) : ({ year: "numeric" } as const)),
  });
  return {
    domain: [first - 0.5, last + 0.5] as [number, number],
    ticks: (width: number) => dayTicks(first, last, Math.max(1, Math.floor(width / TICK))).ticks,
    write: (day: number) => label.format(dayInstant(day)),
    barSize: (width: number) => Math.min(BAR.most, Math.max(BAR.least, Math.floor((width / span) * 0.8))),
  };
}

interface DayBarProps {
  /** Its width in pixels. */
  readonly size: number;
  /** Given by the chart, which makes a bar no wider than its day. */
  readonly x?: number;
  readonly y?: number;
  readonly width?: number;
  readonly height?: number;
  readonly fill?: string;
}

/** A part of a bar that is wide enough to be seen and pressed on a long axis. */
function DayBar({ size, x = 0, y = 0, width = 0, height = 0, fill }: DayBarProps) {
  return <rect x={x + (width - size) / 2} y={y} width={size} height={Math.max(0, height)} fill={fill} />;
}

/** The numbers of the charts; a group's name opens its sessions. */
function GroupsTable({ by, groups }: { readonly by: Facet; readonly groups: readonly Group[] }) {
  const t = useTranslations("insights.sums");
  const words = useGroupWords();
  const format = useFormat();
  const search = useSearchParams();
  const written = (chart: Chart, group: Group) => {
    if (chart === "peak" && group.peak !== null)
      return [group.peak.p50, group.peak.p75, group.peak.p95].map(format.short).join(" · ");
    const { total } = barOf(chart, group);
    if (total === null) return null;
    if (chart !== "cost") return format.sum(total);
    return format.usd(total, isLowerBoundSum(group));
  };
  return (
    <ScrollRegion aria-label={t("title")} className="mt-3 max-h-80 overflow-auto border-t border-line">
      <ExportedTable
        hasStickyHead
        caption={t("title")}
        rows={groups}
        rowKey={({ value }) => value ?? ""}
        data-testid="groups"
        columns={[
          {
            head: t(`facet.${by}`),
            namesRow: true,
            value: ({ value }) => words.group(by, value),
            cellClass: "max-w-60 truncate",
            cell: ({ value }) => {
              const filter = groupFilter(by, value);
              const name = words.group(by, value);
              if (filter === undefined) return name;
              return (
                <Link
                  href={sessionsHref(search, filter)}
                  prefetch={false}
                  title={value ?? name}
                  className="underline underline-offset-2"
                >
                  {name}
                </Link>
              );
            },
          },
          {
            head: t("sessions"),
            numeric: true,
            cell: ({ sessions, copies }) => format.count(sessions - copies),
            value: ({ sessions, copies }) => sessions - copies,
          },
          {
            head: t("compacting"),
            numeric: true,
            cellClass: "whitespace-nowrap",
            cell: ({ compactingMs }) => <Value>{compactingMs === null ? null : format.duration(compactingMs)}</Value>,
            value: ({ compactingMs }) => (compactingMs === null ? null : Math.round(compactingMs / 1000)),
          },
          ...CHARTS.map((chart) => ({
            head: t(chart),
            numeric: true,
            cellClass: "whitespace-nowrap",
            cell: (group: Group) => <Value>{written(chart, group)}</Value>,
            value: (group: Group) => barOf(chart, group).total ?? null,
          })),
        ]}
      />
    </ScrollRegion>
  );
}

/** Names of the groups' values. */
function useGroupWords() {
  const t = useTranslations("insights.sums");
  return useMemo(
    () => ({
      group: (by: Facet, value: string | null): string => {
        if (value === null) return t(by === "subagent" ? "mainChain" : "noValue");
        if (by === "agent") return agentName(value)?.label ?? value;
        return by === "project" || by === "worktree" ? projectName(value) : value;
      },
    }),
    [t],
  );
}
