import { memo } from "react";
import { useTranslations } from "use-intl";
import type { ChartRow } from "@/components/charts/chart-rows";
import { RequestTable } from "@/components/charts/request-table";
import { useFormat } from "@/components/format/use-format";
import type { Column } from "@/components/ui/table";
import { useRecorded } from "../state/recorded-data";
import { useReplay } from "../state/replay-data";
import { useSummaryBand } from "../state/use-summary-band";

/** The chart's numbers, row by row the same. */
export const TimelineTable = memo(function TimelineTable({ rows }: { readonly rows: readonly ChartRow[] }) {
  const t = useTranslations("session");
  const format = useFormat();
  const { recorded, bands } = useRecorded();
  const { simulated } = useReplay();
  const band = useSummaryBand();
  const listed = rows.slice(0, -1);
  const count = (values: Int32Array, { request }: ChartRow) => format.count(values[request] ?? 0);
  const columns: Column<ChartRow>[] = [
    { head: t("card.context"), numeric: true, cell: (row) => count(recorded.context, row) },
    {
      head: t("table.kind"),
      cell: ({ request }) => (recorded.estimated[request] === 1 ? t("kind.estimated") : t("kind.recorded")),
    },
    {
      head: t("kind.simulatedEstimate"),
      numeric: true,
      cellClass: "text-accent",
      cell: (row) => count(simulated.context, row),
    },
  ];
  if (band !== undefined) {
    columns.push({
      head: t("card.summaryBand"),
      numeric: true,
      cellClass: "whitespace-nowrap text-accent",
      cell: (row) => t("card.range", { low: count(band.low, row), high: count(band.high, row) }),
    });
  }
  for (const { band, values } of bands) {
    columns.push({ head: t(`band.${band.id}`), numeric: true, cell: (row) => count(values, row) });
  }
  return (
    <RequestTable
      title={t("table.title")}
      caption={t("table.caption", { rows: listed.length })}
      testId="data-table"
      request={t("table.request")}
      columns={columns}
      rows={listed}
    />
  );
});
