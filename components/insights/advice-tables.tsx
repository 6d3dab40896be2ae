import { memo } from "react";
import { CartesianGrid, Line, LineChart, ReferenceArea, ReferenceLine, XAxis, YAxis } from "recharts";
import { useTranslations } from "use-intl";
import { AXIS, ChartBox } from "@/components/charts/chart-box";
import { ExportedTable } from "@/components/export/exported-table";
import type { NumberSpec } from "@/components/settings/trigger-setting";
import { usePolicyWords } from "@/components/settings/use-words";
import { cn } from "@/components/ui/cn";
import { ScrollRegion, Table } from "@/components/ui/table";
import type { SweepSet } from "@/lib/core/analysis/grid";
import { type AssumedRow, assumedRows, type Found, namedUnder, settingCurve, useAdviceWords } from "./advice-view";

/** The result for every tried value of the setting, and for the present one. A value is marked as better only with evidence. */
export function SettingsTable({ found, spec }: { readonly found: Found; readonly spec: NumberSpec }) {
  const t = useTranslations("insights.advice");
  const words = useAdviceWords();
  const isBetter = (set: SweepSet | undefined) =>
    found.isEvidence && found.flat.some((one) => one[spec.key] === set?.[spec.key]);
  const rows = [
    { set: undefined, total: found.current, saving: undefined },
    ...found.settings.map(({ set, total, saving }) => ({ set, total, saving })),
  ];
  return (
    <ScrollRegion aria-label={t("settings")} className="max-h-64 overflow-auto">
      <ExportedTable
        hasStickyHead
        caption={t("settings")}
        data-testid="settings"
        rows={rows}
        rowKey={({ set }) => set?.[spec.key] ?? "current"}
        columns={[
          {
            head: t("setting"),
            namesRow: true,
            value: ({ set }) => (set === undefined ? t("current") : (set[spec.key] ?? null)),
            cellClass: "whitespace-nowrap",
            cell: ({ set }) => (
              <span className={cn(isBetter(set) && "font-medium text-better")} data-better={isBetter(set)}>
                {set === undefined ? t("current") : words.set(spec, set)}
              </span>
            ),
          },
          {
            head: words.by(found.by),
            numeric: true,
            cell: ({ total }) => words.amount(found.by, total, found.lowerBounds > 0),
            value: ({ total }) => total,
          },
          {
            head: t("savesHere"),
            numeric: true,
            cell: ({ saving }) => (saving === undefined ? "" : words.share(saving)),
            value: ({ saving }) => saving ?? null,
          },
        ]}
      />
    </ScrollRegion>
  );
}

const HEIGHT = 150;
const MARGIN = { top: 8, right: 12, bottom: 0, left: 0 };

/** The metric at every swept setting, with the flat region and the present value. Its numbers are in the table next to it. */
export const SettingCurve = memo(function SettingCurve({
  found,
  spec,
}: {
  readonly found: Found;
  readonly spec: NumberSpec;
}) {
  const t = useTranslations("insights.advice");
  const words = usePolicyWords();
  const { amountShort, by, tick } = useAdviceWords();
  const { points, flat } = settingCurve(found, spec.key);
  const colour = found.isEvidence ? "var(--better)" : "var(--t3)";
  return (
    <figure aria-label={t("curve")} className="min-w-0">
      <ChartBox label={t("curveOf", { metric: by(found.by), setting: words.setting(spec) })} height={HEIGHT}>
        {({ width, height }) => (
          <LineChart width={width} height={height} data={[...points]} margin={MARGIN} accessibilityLayer={false}>
            <CartesianGrid stroke="var(--line)" vertical={false} />
            {flat.map(([from, to]) => (
              <ReferenceArea
                key={from}
                x1={from}
                x2={to}
                fill={colour}
                fillOpacity={0.14}
                stroke={colour}
                strokeOpacity={0.4}
              />
            ))}
            <ReferenceLine y={found.current} stroke="var(--t2)" strokeDasharray="4 3" />
            <XAxis
              dataKey="x"
              type="number"
              height={20}
              domain={["dataMin", "dataMax"]}
              tickFormatter={(value: number) => tick(spec, value)}
              {...AXIS}
            />
            <YAxis
              tickFormatter={(value: number) => amountShort(found.by, value)}
              domain={["auto", "auto"]}
              {...AXIS}
              width={56}
            />
            <Line dataKey="y" stroke="var(--t1)" strokeWidth={1.5} isAnimationActive={false} dot={{ r: 2.5 }} />
          </LineChart>
        )}
      </ChartBox>
      <figcaption className="flex flex-wrap gap-x-4 text-xs text-t2">
        <span>
          {by(found.by)} · {words.setting(spec)} ({words.unit(spec.unit)})
        </span>
        {flat.length > 0 && (
          <span className="flex items-center gap-1">
            <span
              aria-hidden
              className="inline-block h-2.5 w-4 border"
              style={{ borderColor: colour, background: `color-mix(in srgb, ${colour} 15%, transparent)` }}
            />
            {t("flatKey")}
          </span>
        )}
        <span className="flex items-center gap-1">
          <span aria-hidden className="inline-block w-4 border-t border-dashed border-t2" />
          {t("currentKey")}
        </span>
      </figcaption>
    </figure>
  );
});

/** The answer without assumptions, in its worst case, and under the assumptions that might change it. */
export function AssumedTable({ found, spec }: { readonly found: Found; readonly spec: NumberSpec }) {
  const t = useTranslations("insights");
  const words = useAdviceWords();
  const rows = assumedRows(found);
  return (
    <ScrollRegion aria-label={t("advice.assumed")} className="scroll-hint overflow-x-auto border-t border-line">
      <Table
        caption={t("advice.assumed")}
        rows={rows}
        rowKey={({ advised }) => advised.under}
        rowProps={({ advised, verdict }) => ({ "data-under": advised.under, "data-verdict": verdict })}
        data-testid="assumed"
        columns={[
          {
            head: t("advice.under"),
            namesRow: true,
            className: "pl-4",
            cellClass: "whitespace-nowrap",
            cell: ({ advised, under, model }) => (
              <>
                {/* The names of the assumptions, which the compiler sees as plain texts here. */}
                {t(`under.${under}` as "under.on", { model: model ?? "" })}
                {advised === found.worst && <span className="text-t3"> · {t("advice.worst")}</span>}
              </>
            ),
          },
          {
            head: t("advice.best"),
            cellClass: "whitespace-nowrap",
            cell: ({ advised }) => words.set(spec, advised.set),
          },
          {
            head: t("advice.saving"),
            numeric: true,
            cellClass: "whitespace-nowrap",
            cell: ({ advised }) => words.saving(advised.saving),
          },
          ...(rows.some(({ isPart }) => isPart) ? [{ head: t("advice.sessionsOf"), cell: Coverage }] : []),
          {
            head: t("advice.verdict"),
            className: "pr-4",
            cellClass: "whitespace-nowrap",
            cell: ({ verdict }) => (
              <span className={cn(verdict === "holds" ? "text-t2" : "font-medium text-t1")}>
                {t(`verdict.${verdict}`)}
              </span>
            ),
          },
        ]}
      />
      {found.unknown.map((one) => (
        <Unknown key={one.under} unknown={one} />
      ))}
    </ScrollRegion>
  );
}

/** Number of sessions that give evidence about an assumption, and why the others do not. */
function Coverage({ advised: { sessions, unknown, alike }, isPart }: AssumedRow) {
  const t = useTranslations("insights.advice");
  return (
    <>
      <span className="whitespace-nowrap">{t("coverage", { sessions, all: sessions + unknown + alike })}</span>
      {isPart && <span className="block text-xs text-t3">{t("lacking", { unknown, alike })}</span>}
    </>
  );
}

function Unknown({ unknown: { under: name, unknown } }: { readonly unknown: Found["unknown"][number] }) {
  const t = useTranslations("insights");
  const { under, model = "" } = namedUnder(name);
  return (
    <p className="px-4 py-1 text-sm text-t2" data-testid="unknown-under">
      {t("advice.unknownUnder", { under: t(`under.${under}` as "under.on", { model }), unknown })}
    </p>
  );
}
