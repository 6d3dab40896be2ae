import { memo, useMemo } from "react";
import { useTranslations } from "use-intl";
import { MAX_ROWS } from "@/components/charts/chart-rows";
import { useFormat } from "@/components/format/use-format";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { downsample } from "@/lib/core/metrics/downsample";
import { useRange } from "../state/view";
import type { ComparedRun } from "./compared-runs";
import { useComparison } from "./comparison";
import { runStyle } from "./run-style";
import { useRunWords } from "./use-run-words";

/** The numbers behind the lines, for screen readers and for exact reading. */
export const CompareTable = memo(function CompareTable() {
  const t = useTranslations("compare.table");
  const format = useFormat();
  const words = useRunWords();
  const { runs } = useComparison();
  const [{ from, to }] = useRange();
  const requests = useMemo(() => rowsOf(runs, from, to), [runs, from, to]);
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard
      tabIndex={0}
      aria-label={t("title")}
      data-testid="compare-table"
      className="max-h-80 overflow-auto border-t border-line"
    >
      <Table>
        <caption className="px-4 py-2 text-left text-sm text-t2">{t("caption", { rows: requests.length })}</caption>
        <thead className="sticky top-0 bg-bg">
          <tr>
            <TableHead numeric>{t("request")}</TableHead>
            {runs.map((run, index) => (
              <TableHead key={runStyle(index).letter} numeric>
                {runStyle(index).letter} {words.name(run)}
              </TableHead>
            ))}
          </tr>
        </thead>
        <tbody>
          {requests.map((request) => (
            <TableRow key={request}>
              <TableHead scope="row" numeric>
                {request}
              </TableHead>
              {runs.map(({ replay }, index) => (
                <TableCell key={runStyle(index).letter} numeric>
                  {format.count(replay.context[request] ?? 0)}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </tbody>
      </Table>
    </section>
  );
});

/** The requests to list: for every run, those with the least and the greatest context of each stretch. */
function rowsOf(runs: readonly ComparedRun[], from: number, to: number): readonly number[] {
  const each = Math.max(4, Math.floor(MAX_ROWS / runs.length));
  const rows = runs.flatMap(({ replay }) => Array.from(downsample(replay.context, from, to, each)));
  return [...new Set(rows)].sort((a, b) => a - b);
}
