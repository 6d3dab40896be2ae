import { memo } from "react";
import { useTranslations } from "use-intl";
import { Value } from "@/components/format/value";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { type CostBar, type CostSeries, sumOfParts } from "./series";
import type { CostDrawing } from "./use-cost";
import { useCostAmount } from "./use-cost-amount";

interface CostTableProps {
  readonly bars: readonly CostBar[];
  readonly drawing: CostDrawing;
  readonly simulated: CostSeries | undefined;
}

/** The chart's numbers, one row per column, for screen readers and for exact reading. */
export const CostTable = memo(function CostTable({ bars, drawing, simulated }: CostTableProps) {
  const t = useTranslations("cost");
  const amount = useCostAmount();
  const other = (request: number) => {
    const parts = simulated?.[request];
    return <Value>{parts === undefined ? null : amount(sumOfParts(parts))}</Value>;
  };
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard
      tabIndex={0}
      aria-label={t("table.title")}
      data-testid="cost-table"
      className="max-h-80 overflow-auto border-t border-line"
    >
      <Table>
        <caption className="px-4 py-2 text-left text-sm text-t2">{t("table.caption", { rows: bars.length })}</caption>
        <thead className="sticky top-0 bg-bg">
          <tr>
            <TableHead numeric>{t("breaks.request")}</TableHead>
            {drawing.parts.map((part) => (
              <TableHead key={part} numeric>
                {t(`part.${part}`)}
              </TableHead>
            ))}
            <TableHead numeric>{t("compared.total")}</TableHead>
            {simulated !== undefined && <TableHead numeric>{t("chart.simulatedTotal")}</TableHead>}
            <TableHead>{t("chart.break")}</TableHead>
          </tr>
        </thead>
        <tbody>
          {bars.map(({ request, parts }) => {
            const cause = drawing.breakAt.get(request)?.cause;
            return (
              <TableRow key={request}>
                <TableHead scope="row" numeric>
                  {request}
                </TableHead>
                {drawing.parts.map((part) => (
                  <TableCell key={part} numeric>
                    {amount(parts[part])}
                  </TableCell>
                ))}
                <TableCell numeric>{amount(sumOfParts(parts))}</TableCell>
                {simulated !== undefined && <TableCell numeric>{other(request)}</TableCell>}
                <TableCell>{cause === undefined || cause === "first" ? "" : t(`cause.${cause}`)}</TableCell>
              </TableRow>
            );
          })}
        </tbody>
      </Table>
    </section>
  );
});
