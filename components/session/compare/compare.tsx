import { memo, type RefObject, useMemo, useRef } from "react";
import { useTranslations } from "use-intl";
import { MAX_ROWS } from "@/components/charts/chart-rows";
import { RequestTable } from "@/components/charts/request-table";
import { ExportMenu } from "@/components/export/export-menu";
import { tableData } from "@/components/export/table-data";
import { useFormat } from "@/components/format/use-format";
import type { Column } from "@/components/ui/table";
import { downsample } from "@/lib/core/analysis/downsample";
import { runStyle } from "../shared/runs/run-style";
import { useSession, useView } from "../shared/state/stores";
import { TimelineCaption } from "../shared/timeline/caption";
import { type ComparedRun, useRunWords } from "./compared-runs";
import { ComparisonProvider, useComparison } from "./comparison";
import { DifferenceTable } from "./difference-table";
import { OverlayChart } from "./overlay-chart";
import { RunChips } from "./run-chips";

/** Compare tab: lines, boundaries and metrics of two to six policies on this recording. */
export function Compare({ table }: { readonly table: boolean }) {
  const { range } = useView("range");
  const figure = useRef<HTMLElement>(null);
  return (
    <ComparisonProvider>
      <div data-testid="compare" data-compare>
        <RunChips />
        <OverlayChart figure={figure} />
        <TimelineCaption range={range}>
          <CompareExport image={figure} />
        </TimelineCaption>
        {table && <CompareTable />}
        <DifferenceTable />
        <FirstOrder />
      </div>
    </ComparisonProvider>
  );
}

/** Saves the chart, and the context of every run at every request. */
function CompareExport({ image }: { readonly image: RefObject<HTMLElement | null> }) {
  const t = useTranslations("compare");
  const words = useRunWords();
  const format = useFormat();
  const { points } = useSession("points");
  const { range } = useView("range");
  const { runs } = useComparison();
  const series = useRunColumns();
  const timeline = useTranslations("session.timeline");
  const named = runs.map(
    (run, index) => `${runStyle(index).letter} ${[words.name(run), words.variant(run)].filter(Boolean).join(" · ")}`,
  );
  const shown = timeline("shown", { from: range.from, to: range.to - 1, count: points });
  const columns = [
    { head: t("table.request"), cell: () => null, value: ({ request }: { request: number }) => request },
    ...series,
  ];
  return (
    <ExportMenu
      name={t("chart.title")}
      note={`${shown}. ${format.clauses(named)}. ${t("firstOrder")}`}
      image={image}
      table={() =>
        tableData(
          columns,
          Array.from({ length: points }, (_, request) => ({ request })),
        )
      }
    />
  );
}

/** General limits of simulations, and which metrics are estimates. A run that follows the recording throughout has no estimates. */
function FirstOrder() {
  const t = useTranslations("compare");
  const { hasUsage } = useSession("hasUsage");
  const { runs } = useComparison();
  const isEstimated = runs.some(({ basis }) => basis !== "recorded");
  return (
    <p className="border-t border-line px-4 py-3 text-sm text-t3">
      {t("firstOrder")} {!hasUsage ? t("allEstimates") : isEstimated && t("estimates")}
    </p>
  );
}

/** The numbers behind the lines. */
const CompareTable = memo(function CompareTable() {
  const t = useTranslations("compare.table");
  const { runs } = useComparison();
  const { from, to } = useView(({ range }) => range);
  const requests = useMemo(() => rowsOf(runs, from, to), [runs, from, to]);
  return (
    <RequestTable
      title={t("title")}
      caption={t("caption", { rows: requests.length })}
      testId="compare-table"
      request={t("request")}
      columns={useRunColumns()}
      rows={requests.map((request) => ({ request }))}
    />
  );
});

/** The context of every run as columns. */
function useRunColumns(): readonly Column<{ readonly request: number }>[] {
  const format = useFormat();
  const words = useRunWords();
  const { runs } = useComparison();
  return runs.map((run, index) => ({
    head: `${runStyle(index).letter} ${words.name(run)}`,
    numeric: true,
    cell: ({ request }) => format.count(run.replay.context[request] ?? 0),
    value: ({ request }) => run.replay.context[request] ?? 0,
  }));
}

/** The requests to list: for every run, the requests with the smallest and the largest context of each stretch. */
function rowsOf(runs: readonly ComparedRun[], from: number, to: number): readonly number[] {
  const each = Math.max(4, Math.floor(MAX_ROWS / runs.length));
  const rows = runs.flatMap(({ replay }) => Array.from(downsample(replay.context, from, to, each)));
  return [...new Set(rows)].sort((a, b) => a - b);
}
