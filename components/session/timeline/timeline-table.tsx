import { memo } from "react";
import { useTranslations } from "use-intl";
import type { ChartRow } from "@/components/charts/chart-rows";
import { RequestTable } from "@/components/charts/request-table";
import { useSeriesColumns } from "../shared/timeline/timeline-export";

/** The chart's numbers, from the rows that it draws. */
export const TimelineTable = memo(function TimelineTable({ rows }: { readonly rows: readonly ChartRow[] }) {
  const t = useTranslations("session.table");
  const listed = rows.slice(0, -1);
  return (
    <RequestTable
      title={t("title")}
      caption={t("caption", { rows: listed.length })}
      testId="data-table"
      request={t("request")}
      columns={useSeriesColumns().shown}
      rows={listed}
    />
  );
});
