import type { Band, Change, Metric, MetricInput } from "./metric";
import { FIGURES, type MetricKey, type SweptKey, TRADE_OFF } from "./registry";

/** The metrics of a replay; `null` for those that it lacks. */
export type Figures = Readonly<Record<MetricKey, number | null>>;

/** The metrics of a sweep's point, or of such points combined over several recordings. */
export type SweptMetrics = Readonly<Record<SweptKey, number | null>>;

/** The bands of metrics; a metric that is known exactly, or not at all, has none. */
export type MetricBands = Readonly<Partial<Record<MetricKey, Band>>>;

/** A metric named by one of the registry's keys. */
export type KnownMetric<Key extends MetricKey = MetricKey> = Metric & { readonly key: Key };

/** Computes every metric of a replay. */
export function metricsOf(input: MetricInput): Figures {
  return valuesBy(FIGURES, (figure) => figure.of(input));
}

/** Computes the band of every metric that has one. */
export function bandsOf(input: MetricInput): MetricBands {
  const figures: readonly KnownMetric[] = FIGURES;
  return bandsBy(figures, ({ band }) => band?.(input));
}

/** A band for every metric that has one. */
export function bandsBy<Key extends MetricKey>(
  figures: readonly KnownMetric<Key>[],
  band: (figure: KnownMetric<Key>) => Band | undefined,
): MetricBands {
  return Object.fromEntries(
    figures.flatMap((figure) => {
      const own = band(figure);
      return own === undefined ? [] : [[figure.key, own]];
    }),
  );
}

/** A value for every metric. */
export function valuesBy<Key extends MetricKey, Value>(
  figures: readonly KnownMetric<Key>[],
  value: (figure: KnownMetric<Key>) => Value,
): Readonly<Record<Key, Value>> {
  // `fromEntries` loses the keys of its entries.
  return Object.fromEntries(figures.map((figure) => [figure.key, value(figure)])) as Record<Key, Value>;
}

/** The metric with a key. Keys in answers are plain text and may be unknown. */
export function metricOf(key: MetricKey): KnownMetric;
export function metricOf(key: string): KnownMetric | undefined;
export function metricOf(key: string): KnownMetric | undefined {
  return FIGURES.find((figure) => figure.key === key);
}

/** The compared metrics, in the order of tables, each with the unit of its difference. */
export const COMPARED_FIGURES: readonly ShownMetric[] = shownMetrics("compare");

/** The metrics of the replay panel's results. */
export const RESULT_FIGURES: readonly ShownMetric[] = shownMetrics("results");

/** A metric that is shown next to that of another run. */
type ShownMetric = KnownMetric & { readonly change: Change };

function shownMetrics(place: "compare" | "results"): readonly ShownMetric[] {
  return FIGURES.flatMap((figure: KnownMetric) => {
    const change = figure.shown[place];
    return change === undefined ? [] : [{ ...figure, change }];
  });
}

/**
 * The metrics without those that were not requested.
 * @param points all points shown
 */
export function metricsThere<Known extends KnownMetric>(
  figures: readonly Known[],
  points: readonly { readonly figures: Readonly<Partial<Record<MetricKey, number | null>>> }[],
): readonly Known[] {
  const isThere = (key: MetricKey) => points.some((point) => (point.figures[key] ?? null) !== null);
  return figures.filter(({ key, onRequest }) => onRequest !== true || isThere(key));
}

/** The metrics of a sweep; those that it plots against each other come first. */
export const SWEPT_FIGURES: readonly KnownMetric<SweptKey>[] = sweptMetrics();

function sweptMetrics(): readonly KnownMetric<SweptKey>[] {
  const figures: readonly KnownMetric[] = FIGURES;
  const swept = figures.filter((figure): figure is KnownMetric<SweptKey> => figure.shown.sweep === true);
  const isTradedOff = ({ key }: KnownMetric<SweptKey>) => TRADE_OFF.some((one) => one === key);
  return [...swept.filter(isTradedOff), ...swept.filter((figure) => !isTradedOff(figure))];
}
