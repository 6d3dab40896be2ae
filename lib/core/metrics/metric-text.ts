import type { Band, Metric, MetricUnit } from "@/lib/core/metrics/metric";
import { countText, usdText } from "../base/number-text";

/**
 * A metric as text; `n/a` if unknown.
 * @param isLeast true if the value is a lower bound
 */
export function metricText(unit: MetricUnit, value: number | null, isLeast = false): string {
  if (value === null) return countText(value);
  if (unit === "share") return `${(value * 100).toFixed(1)} %`;
  const text = unit === "dollars" ? usdText(value) : countText(value);
  return isLeast ? `≥ ${text}` : text;
}

/** The band of a metric; empty if both ends are the same. */
export function bandText(unit: MetricUnit, { low, high, lowerBound }: Band): string {
  return low === high ? "" : `${metricText(unit, low, lowerBound)}–${metricText(unit, high)}`;
}

/** A metric with its band: `≥ $3.21 (≥ $3.05–$3.40)`; the band alone if the value itself is unknown. */
function bandedText(unit: MetricUnit, value: number | null, band: Band | undefined): string {
  const between = band === undefined ? "" : bandText(unit, band);
  const text = metricText(unit, value, band?.lowerBound);
  if (between === "") return text;
  return value === null ? between : `${text} (${between})`;
}

/** The metrics that the command line prints for a replay or a sweep, each with its name there: `sent 12,345`. */
export function printedMetrics(
  metrics: readonly Metric[],
  place: keyof Metric["text"],
  values: Readonly<Record<string, number | null>>,
  bands: Readonly<Record<string, Band | undefined>> = {},
): readonly string[] {
  return metrics.flatMap(({ key, unit, text: { [place]: name } }) =>
    name === undefined ? [] : [`${name} ${bandedText(unit, values[key] ?? null, bands[key])}`],
  );
}
