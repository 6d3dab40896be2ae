import { memo } from "react";
import { useTranslations } from "use-intl";
import type { ChartRow } from "@/components/charts/chart-rows";
import { useFormat } from "@/components/format/use-format";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { useRecorded } from "../state/recorded-data";
import { useReplay } from "../state/replay-data";
import { useSummaryBand } from "../state/use-summary-band";

/** The chart's numbers, row by row the same, for screen readers and for exact reading. */
export const TimelineTable = memo(function TimelineTable({ rows }: { readonly rows: readonly ChartRow[] }) {
  const t = useTranslations("session");
  const format = useFormat();
  const { recorded, bands } = useRecorded();
  const { simulated } = useReplay();
  const band = useSummaryBand();
  const listed = rows.slice(0, -1);
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard
      tabIndex={0}
      aria-label={t("table.title")}
      data-testid="data-table"
      className="max-h-80 overflow-auto border-t border-line"
    >
      <Table>
        <caption className="px-4 py-2 text-left text-sm text-t2">{t("table.caption", { rows: listed.length })}</caption>
        <thead className="sticky top-0 bg-bg">
          <tr>
            <TableHead numeric>{t("table.request")}</TableHead>
            <TableHead numeric>{t("card.context")}</TableHead>
            <TableHead>{t("table.kind")}</TableHead>
            <TableHead numeric>{t("kind.simulatedEstimate")}</TableHead>
            {band !== undefined && <TableHead numeric>{t("card.summaryBand")}</TableHead>}
            {bands.map(({ band }) => (
              <TableHead key={band.id} numeric>
                {t(`band.${band.id}`)}
              </TableHead>
            ))}
          </tr>
        </thead>
        <tbody>
          {listed.map(({ request }) => (
            <TableRow key={request}>
              <TableHead scope="row" numeric>
                {request}
              </TableHead>
              <TableCell numeric>{format.count(recorded.context[request] ?? 0)}</TableCell>
              <TableCell>{recorded.estimated[request] === 1 ? t("kind.estimated") : t("kind.recorded")}</TableCell>
              <TableCell numeric className="text-accent">
                {format.count(simulated.context[request] ?? 0)}
              </TableCell>
              {band !== undefined && (
                <TableCell numeric className="whitespace-nowrap text-accent">
                  {t("card.range", {
                    low: format.count(band.low[request] ?? 0),
                    high: format.count(band.high[request] ?? 0),
                  })}
                </TableCell>
              )}
              {bands.map(({ band, values }) => (
                <TableCell key={band.id} numeric>
                  {format.count(values[request] ?? 0)}
                </TableCell>
              ))}
            </TableRow>
          ))}
        </tbody>
      </Table>
    </section>
  );
});
