import { memo } from "react";
import { useTranslations } from "use-intl";
import { RequestTable } from "@/components/charts/request-table";
import { Value } from "@/components/format/value";
import type { Column } from "@/components/ui/table";
import { type CostBar, type CostSeries, sumOfParts } from "../shared/cost/series";
import { type CostDrawing, useCostAmount, useCostNumber } from "../shared/cost/use-cost";

interface CostTableProps {
  readonly bars: readonly CostBar[];
  readonly drawing: CostDrawing;
  readonly simulated: CostSeries | undefined;
}

/** The chart's numbers, one row per column. */
export const CostTable = memo(function CostTable({ bars, drawing, simulated }: CostTableProps) {
  const t = useTranslations("cost");
  return (
    <RequestTable
      title={t("table.title")}
      caption={t("table.caption", { rows: bars.length })}
      testId="cost-table"
      request={t("breaks.request")}
      columns={useCostColumns(drawing, simulated, false)}
      rows={bars}
    />
  );
});

/**
 * The cost of every request as columns.
 * @param hasRequest adds the number of the request as the first column
 */
export function useCostColumns(
  drawing: CostDrawing,
  simulated: CostSeries | undefined,
  hasRequest: boolean,
): readonly Column<CostBar>[] {
  const t = useTranslations("cost");
  const amount = useCostAmount();
  const plain = useCostNumber();
  const columns: Column<CostBar>[] = drawing.parts.map((part) => {
    return {
      head: t(`part.${part}`),
      numeric: true,
      cell: ({ parts }) => amount(parts[part]),
      value: ({ parts }) => plain(parts[part]),
    };
  });
  columns.push({
    head: t("compared.total"),
    numeric: true,
    cell: ({ parts }) => amount(sumOfParts(parts)),
    value: ({ parts }) => plain(sumOfParts(parts)),
  });
  if (simulated !== undefined) {
    columns.push({
      head: t("chart.simulatedTotal"),
      numeric: true,
      cell: ({ request }) => {
        const parts = simulated[request];
        return <Value>{parts === undefined ? null : amount(sumOfParts(parts))}</Value>;
      },
      value: ({ request }) => {
        const parts = simulated[request];
        return parts === undefined ? null : plain(sumOfParts(parts));
      },
    });
  }
  const causeAt = ({ request }: CostBar): string => {
    const cause = drawing.missAt.get(request)?.cause;
    return cause === undefined || cause === "first" ? "" : t(`cause.${cause}`);
  };
  columns.push({ head: t("chart.break"), cell: causeAt, value: (bar) => causeAt(bar) || null });
  return hasRequest
    ? [{ head: t("breaks.request"), cell: ({ request }) => request, value: ({ request }) => request }, ...columns]
    : columns;
}
