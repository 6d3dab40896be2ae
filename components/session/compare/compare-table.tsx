import { memo, useMemo } from "react";
import { useTranslations } from "use-intl";
import { MAX_ROWS } from "@/components/charts/chart-rows";
import { RequestTable } from "@/components/charts/request-table";
import { useFormat } from "@/components/format/use-format";
import type { Column } from "@/components/ui/table";
import { downsample } from "@/lib/core/metrics/downsample";
import { useView } from "../state/view";
import type { ComparedRun } from "./compared-runs";
import { useComparison } from "./comparison";
import { runStyle } from "./run-style";
import { useRunWords } from "./use-run-words";

/** The numbers behind the lines. */
export const CompareTable = memo(function CompareTable() {
  const t = useTranslations("compare.table");
  const { runs } = useComparison();
  const { from, to } = useView().range;
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
export function useRunColumns(): readonly Column<{ readonly request: number }>[] {
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

/** The requests to list: for every run, those with the least and the greatest context of each stretch. */
function rowsOf(runs: readonly ComparedRun[], from: number, to: number): readonly number[] {
  const each = Math.max(4, Math.floor(MAX_ROWS / runs.length));
  const rows = runs.flatMap(({ replay }) => Array.from(downsample(replay.context, from, to, each)));
  return [...new Set(rows)].sort((a, b) => a - b);
}
