import { memo } from "react";
import { useTranslations } from "use-intl";
import { RequestTable } from "@/components/charts/request-table";
import { Value } from "@/components/format/value";
import type { Column } from "@/components/ui/table";
import { type CostBar, type CostSeries, sumOfParts } from "./series";
import type { CostDrawing } from "./use-cost";
import { useCostAmount } from "./use-cost-amount";

interface CostTableProps {
  readonly bars: readonly CostBar[];
  readonly drawing: CostDrawing;
  readonly simulated: CostSeries | undefined;
}

/** The chart's numbers, one row per column. */
export const CostTable = memo(function CostTable({ bars, drawing, simulated }: CostTableProps) {
  const t = useTranslations("cost");
  const amount = useCostAmount();
  const columns: Column<CostBar>[] = drawing.parts.map((part) => {
    return { head: t(`part.${part}`), numeric: true, cell: ({ parts }) => amount(parts[part]) };
  });
  columns.push({ head: t("compared.total"), numeric: true, cell: ({ parts }) => amount(sumOfParts(parts)) });
  if (simulated !== undefined) {
    columns.push({
      head: t("chart.simulatedTotal"),
      numeric: true,
      cell: ({ request }) => {
        const parts = simulated[request];
        return <Value>{parts === undefined ? null : amount(sumOfParts(parts))}</Value>;
      },
    });
  }
  columns.push({
    head: t("chart.break"),
    cell: ({ request }) => {
      const cause = drawing.breakAt.get(request)?.cause;
      return cause === undefined || cause === "first" ? "" : t(`cause.${cause}`);
    },
  });
  return (
    <RequestTable
      title={t("table.title")}
      caption={t("table.caption", { rows: bars.length })}
      testId="cost-table"
      request={t("breaks.request")}
      columns={columns}
      rows={bars}
    />
  );
});
