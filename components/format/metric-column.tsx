import type { Column } from "@/components/ui/table";
import type { KnownMetric, MetricBands } from "@/lib/core/metrics/values";
import { MetricValue } from "./value";

/** Metrics with their ranges. */
interface HasMetrics<Known extends KnownMetric> {
  readonly metrics: Readonly<Record<Known["key"], number | null>>;
  readonly bands: MetricBands;
}

/**
 * A metric as a column of a table.
 * @param of returns the metrics of a row
 */
export function metricColumn<Row, Known extends KnownMetric>(
  metric: Known,
  head: string,
  of: (row: Row) => HasMetrics<Known>,
  className = "",
): Column<Row> {
  const key: Known["key"] = metric.key;
  return {
    head,
    numeric: true,
    className,
    headClass: "align-bottom whitespace-normal",
    cellClass: "whitespace-nowrap",
    cellProps: () => ({ "data-metric": key }),
    value: (row) => of(row).metrics[key],
    cell: (row) => {
      const { metrics, bands } = of(row);
      return <MetricValue metric={metric} value={metrics[key]} band={bands[key]} />;
    },
  };
}
