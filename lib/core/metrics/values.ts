import type { Band, Change, Metric, MetricInput } from "./metric";
import { METRICS, type MetricKey, type SweptKey, TRADE_OFF } from "./registry";

/** The metrics of a replay; `null` for those that it lacks. */
export type Metrics = Readonly<Record<MetricKey, number | null>>;

/** The metrics of a sweep's point, or of such points combined over several recordings. */
export type SweptMetrics = Readonly<Record<SweptKey, number | null>>;

/** The bands of metrics; a metric that is known exactly, or not at all, has none. */
export type MetricBands = Readonly<Partial<Record<MetricKey, Band>>>;

/** A metric named by one of the registry's keys. */
export type KnownMetric<Key extends MetricKey = MetricKey> = Metric & { readonly key: Key };

/** Computes every metric of a replay. */
export function metricsOf(input: MetricInput): Metrics {
  return valuesBy(METRICS, (metric) => metric.of(input));
}

/** Computes the band of every metric that has one. */
export function bandsOf(input: MetricInput): MetricBands {
  const metrics: readonly KnownMetric[] = METRICS;
  return bandsBy(metrics, ({ band }) => band?.(input));
}

/** A band for every metric that has one. */
export function bandsBy<Key extends MetricKey>(
  metrics: readonly KnownMetric<Key>[],
  band: (metric: KnownMetric<Key>) => Band | undefined,
): MetricBands {
  return Object.fromEntries(
    metrics.flatMap((metric) => {
      const own = band(metric);
      return own === undefined ? [] : [[metric.key, own]];
    }),
  );
}

/** A value for every metric. */
export function valuesBy<Key extends MetricKey, Value>(
  metrics: readonly KnownMetric<Key>[],
  value: (metric: KnownMetric<Key>) => Value,
): Readonly<Record<Key, Value>> {
  // `fromEntries` loses the keys of its entries.
  return Object.fromEntries(metrics.map((metric) => [metric.key, value(metric)])) as Record<Key, Value>;
}

/** The metric with a key. Keys in answers are plain text and may be unknown. */
export function metricOf(key: MetricKey): KnownMetric;
export function metricOf(key: string): KnownMetric | undefined;
export function metricOf(key: string): KnownMetric | undefined {
  return METRICS.find((metric) => metric.key === key);
}

/** The compared metrics, in the order of tables, each with the unit of its difference. */
export const COMPARED_METRICS: readonly ShownMetric[] = shownMetrics("compare");

/** The metrics of the replay panel's results. */
export const RESULT_METRICS: readonly ShownMetric[] = shownMetrics("results");

/** A metric that is shown next to that of another run. */
type ShownMetric = KnownMetric & { readonly change: Change };

function shownMetrics(place: "compare" | "results"): readonly ShownMetric[] {
  return METRICS.flatMap((metric: KnownMetric) => {
    const change = metric.shown[place];
    return change === undefined ? [] : [{ ...metric, change }];
  });
}

/**
 * The given metrics, without metrics on request that no point has.
 * @param points all points shown
 */
export function metricsThere<Known extends KnownMetric>(
  metrics: readonly Known[],
  points: readonly { readonly metrics: Readonly<Partial<Record<MetricKey, number | null>>> }[],
): readonly Known[] {
  const isThere = (key: MetricKey) => points.some((point) => (point.metrics[key] ?? null) !== null);
  return metrics.filter(({ key, onRequest }) => onRequest !== true || isThere(key));
}

/** The metrics of a sweep; those that it plots against each other come first. */
export const SWEPT_METRICS: readonly KnownMetric<SweptKey>[] = sweptMetrics();

function sweptMetrics(): readonly KnownMetric<SweptKey>[] {
  const metrics: readonly KnownMetric[] = METRICS;
  const swept = metrics.filter((metric): metric is KnownMetric<SweptKey> => metric.shown.sweep === true);
  const isTradedOff = ({ key }: KnownMetric<SweptKey>) => TRADE_OFF.some((one) => one === key);
  return [...swept.filter(isTradedOff), ...swept.filter((metric) => !isTradedOff(metric))];
}
