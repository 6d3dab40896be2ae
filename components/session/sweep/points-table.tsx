import { useState } from "react";
import { useTranslations } from "use-intl";
import { ExportedTable } from "@/components/export/exported-table";
import { metricColumn } from "@/components/format/metric-column";
import { usePolicyWords } from "@/components/settings/use-words";
import { Button } from "@/components/ui/button";
import { type Column, ScrollRegion } from "@/components/ui/table";
import { metricsThere, SWEPT_METRICS } from "@/lib/core/metrics/values";
import { type PointRow, type ShownPoints, tableRows } from "./points";
import { useSweepData } from "./sweep-data";
import { useSweepWords } from "./use-sweep-words";

interface PointsTableProps {
  readonly result: Omit<ShownPoints, "vary">;
  /** Owner of the points, if there are other tables. */
  readonly label?: string;
  readonly testId?: string;
}

/** The points as rows, either those on the front or all of them. Pressing one opens it in the replay panel. */
export function PointsTable({ result, label, testId = "points-table" }: PointsTableProps) {
  const t = useTranslations("sweep.table");
  const policy = usePolicyWords();
  const words = useSweepWords();
  const { axes, isCurrent, isOwn, open } = useSweepData();
  const [all, setAll] = useState(false);
  const rows = tableRows(result, all, isOwn);
  const columns: readonly Column<PointRow>[] = [
    {
      head: <span className="sr-only">{t("open")}</span>,
      className: "pl-4",
      cellClass: "py-0.5 whitespace-nowrap",
      cell: ({ point, equal }) => (
        <>
          <Button onClick={() => open(point)} aria-label={t("openPoint", { point: words.set(point.set) })}>
            {isCurrent(point) ? t("isOpen") : t("open")}
          </Button>
          {isOwn(point) && <span className="pl-2 text-sm text-t2">{t("own")}</span>}
          {equal > 0 && <span className="pl-2 text-sm text-t3">{t("equal", { count: equal })}</span>}
        </>
      ),
    },
    ...axes.map(
      ({ spec }): Column<PointRow> => ({
        head: policy.setting(spec),
        numeric: true,
        headClass: "align-bottom whitespace-normal",
        cellClass: "whitespace-nowrap",
        cell: ({ point }) => words.value(spec, point.set[spec.key] ?? 0),
        value: ({ point }) => point.set[spec.key] ?? null,
      }),
    ),
    ...metricsThere(SWEPT_METRICS, result.points).map((metric) =>
      metricColumn(metric, words.metric(metric.key), ({ point }: PointRow) => point, "last:pr-4"),
    ),
  ];
  const onFront: Column<PointRow> = {
    head: t("onFront"),
    cell: () => null,
    value: ({ index }) => result.front[index] === true,
  };
  return (
    <section aria-label={label ?? t("title")} className="border-t border-line">
      <div className="flex min-h-9 flex-wrap items-center gap-x-4 px-4 py-1">
        <h2 className="grow font-semibold">
          {all ? t("all", { count: rows.length }) : t("front", { count: tableRows(result, false).length })}
        </h2>
        <Button variant="ghost" aria-pressed={all} onClick={() => setAll(!all)}>
          {all ? t("showFront") : t("showAll", { count: result.points.length })}
        </Button>
      </div>
      <ScrollRegion
        aria-label={label ?? t("title")}
        data-testid={testId}
        className="scroll-hint relative overflow-x-auto"
      >
        <ExportedTable
          name={label ?? t("title")}
          allRows={tableRows(result, true)}
          allColumns={[...columns, onFront]}
          rows={rows}
          rowKey={({ index }) => index}
          rowProps={({ point, index }) => ({
            className: isCurrent(point) ? "bg-accent-tint" : "",
            "data-front": result.front[index] === true,
          })}
          columns={columns}
        />
      </ScrollRegion>
    </section>
  );
}
