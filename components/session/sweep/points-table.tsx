import { useState } from "react";
import { useTranslations } from "use-intl";
import { FigureValue } from "@/components/format/value";
import { usePolicyWords } from "@/components/settings/use-words";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { SWEPT_FIGURES } from "@/lib/core/figures/values";
import { useSweepData } from "./sweep-data";
import { type TablePoint, type TablePoints, tableRows } from "./table-rows";
import { useSweepWords } from "./use-sweep-words";

interface PointsTableProps {
  readonly result: TablePoints;
  /** What the points belong to, where there are other tables. */
  readonly label?: string;
  readonly testId?: string;
}

/** The points as rows, either those on the front or all of them. Pressing one opens it in the replay panel. */
export function PointsTable({ result, label, testId = "points-table" }: PointsTableProps) {
  const t = useTranslations("sweep.table");
  const policy = usePolicyWords();
  const words = useSweepWords();
  const { axes } = useSweepData();
  const [all, setAll] = useState(false);
  const rows = tableRows(result, all);
  return (
    <section aria-label={label ?? t("title")} className="border-t border-line">
      <div className="flex min-h-9 flex-wrap items-center gap-x-4 px-4 py-1">
        <h2 className="grow font-semibold">
          {all ? t("all", { count: rows.length }) : t("front", { count: rows.length })}
        </h2>
        <Button variant="ghost" aria-pressed={all} onClick={() => setAll(!all)}>
          {all ? t("showFront") : t("showAll", { count: result.points.length })}
        </Button>
      </div>
      <section
        aria-label={label ?? t("title")}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard
        tabIndex={0}
        data-testid={testId}
        className="relative max-h-100 overflow-auto"
      >
        <Table>
          <thead className="sticky top-0 z-10 bg-bg">
            <tr>
              <TableHead className="pl-4">
                <span className="sr-only">{t("open")}</span>
              </TableHead>
              {axes.map(({ spec }) => (
                <TableHead key={spec.key} numeric>
                  {policy.setting(spec)}
                </TableHead>
              ))}
              {SWEPT_FIGURES.map(({ key }) => (
                <TableHead key={key} numeric className="last:pr-4">
                  {words.metric(key)}
                </TableHead>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ point, index, equal }) => (
              <PointRow key={index} point={point} onFront={result.front[index] === true} equal={equal} />
            ))}
          </tbody>
        </Table>
      </section>
    </section>
  );
}

interface PointRowProps {
  readonly point: TablePoint;
  readonly onFront: boolean;
  /** How many further points have the same figures. */
  readonly equal: number;
}

function PointRow({ point, onFront, equal }: PointRowProps) {
  const t = useTranslations("sweep.table");
  const words = useSweepWords();
  const { axes, isCurrent, open } = useSweepData();
  const current = isCurrent(point);
  return (
    <TableRow className={cn(current && "bg-accent-tint")} data-front={onFront}>
      <TableCell className="py-0.5 pl-4 whitespace-nowrap">
        <Button onClick={() => open(point)} aria-label={t("openPoint", { point: words.set(point.set) })}>
          {current ? t("isOpen") : t("open")}
        </Button>
        {equal > 0 && <span className="pl-2 text-xs text-t3">{t("equal", { count: equal })}</span>}
      </TableCell>
      {axes.map(({ spec }) => (
        <TableCell key={spec.key} numeric className="whitespace-nowrap">
          {words.value(spec, point.set[spec.key] ?? 0)}
        </TableCell>
      ))}
      {SWEPT_FIGURES.map((figure) => (
        <TableCell key={figure.key} numeric className="last:pr-4" data-metric={figure.key}>
          <FigureValue figure={figure} value={point.figures[figure.key]} band={point.bands[figure.key]} />
        </TableCell>
      ))}
    </TableRow>
  );
}
