import type { Band, Change, Metric, MetricInput } from "./metric";
import { FIGURES, type MetricKey, type SweptKey, TRADE_OFF } from "./registry";

/** The figures of a replay; `null` where it does not have one. */
export type Figures = Readonly<Record<MetricKey, number | null>>;

/** The figures of a sweep's point, or of such points combined over several recordings. */
export type SweptMetrics = Readonly<Record<SweptKey, number | null>>;

/** The bands of figures; a figure that is known exactly, or not at all, has none. */
export type MetricBands = Readonly<Partial<Record<MetricKey, Band>>>;

/** A figure that one of the registry's keys names. */
export type KnownMetric<Key extends MetricKey = MetricKey> = Metric & { readonly key: Key };

/** Computes every figure of a replay. */
export function metricsOf(input: MetricInput): Figures {
  return valuesBy(FIGURES, (figure) => figure.of(input));
}

/** Computes the band of every figure that has one. */
export function bandsOf(input: MetricInput): MetricBands {
  const figures: readonly KnownMetric[] = FIGURES;
  return bandsBy(figures, ({ band }) => band?.(input));
}

/** A band for every figure that has one. */
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

/** A value for every figure. */
export function valuesBy<Key extends MetricKey, Value>(
  figures: readonly KnownMetric<Key>[],
  value: (figure: KnownMetric<Key>) => Value,
): Readonly<Record<Key, Value>> {
  // `fromEntries` loses the keys of its entries.
  return Object.fromEntries(figures.map((figure) => [figure.key, value(figure)])) as Record<Key, Value>;
}

/** The figure with a key. Keys in answers are plain text, which may name none. */
export function metricOf(key: MetricKey): KnownMetric;
export function metricOf(key: string): KnownMetric | undefined;
export function metricOf(key: string): KnownMetric | undefined {
  return FIGURES.find((figure) => figure.key === key);
}

/** The figures that are compared, in the order of tables, each with how its difference is given. */
export const COMPARED_FIGURES: readonly ShownMetric[] = shownMetrics("compare");

/** The figures of the replay panel's results. */
export const RESULT_FIGURES: readonly ShownMetric[] = shownMetrics("results");

/** A figure that is shown beside that of another run. */
type ShownMetric = KnownMetric & { readonly change: Change };

function shownMetrics(place: "compare" | "results"): readonly ShownMetric[] {
  return FIGURES.flatMap((figure: KnownMetric) => {
    const change = figure.shown[place];
    return change === undefined ? [] : [{ ...figure, change }];
  });
}

/** The figures without those that were not asked for. @param points everything that is shown */
export function metricsThere<Known extends KnownMetric>(
  figures: readonly Known[],
  points: readonly { readonly figures: Readonly<Partial<Record<MetricKey, number | null>>> }[],
): readonly Known[] {
  const isThere = (key: MetricKey) => points.some((point) => (point.figures[key] ?? null) !== null);
  return figures.filter(({ key, onRequest }) => onRequest !== true || isThere(key));
}

/** The figures of a sweep; those that it plots against each other come first. */
export const SWEPT_FIGURES: readonly KnownMetric<SweptKey>[] = sweptMetrics();

function sweptMetrics(): readonly KnownMetric<SweptKey>[] {
  const figures: readonly KnownMetric[] = FIGURES;
  const swept = figures.filter((figure): figure is KnownMetric<SweptKey> => figure.shown.sweep === true);
  const isTradedOff = ({ key }: KnownMetric<SweptKey>) => TRADE_OFF.some((one) => one === key);
  return [...swept.filter(isTradedOff), ...swept.filter((figure) => !isTradedOff(figure))];
}
