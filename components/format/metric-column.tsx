import type { Column } from "@/components/ui/table";
import type { KnownMetric, MetricBands } from "@/lib/core/metrics/values";
import { MetricValue } from "./value";

/** What a row has of figures. */
interface HasMetrics<Known extends KnownMetric> {
  readonly figures: Readonly<Record<Known["key"], number | null>>;
  readonly bands: MetricBands;
}

/** A figure as a column of a table. @param of what has the figure in a row */
export function metricColumn<Row, Known extends KnownMetric>(
  figure: Known,
  head: string,
  of: (row: Row) => HasMetrics<Known>,
  className = "",
): Column<Row> {
  const key: Known["key"] = figure.key;
  return {
    head,
    numeric: true,
    className,
    cellClass: "whitespace-nowrap",
    cellProps: () => ({ "data-metric": key }),
    value: (row) => of(row).figures[key],
    cell: (row) => {
      const { figures, bands } = of(row);
      return <MetricValue figure={figure} value={figures[key]} band={bands[key]} />;
    },
  };
}
