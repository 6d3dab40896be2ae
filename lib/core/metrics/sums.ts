import type { Metric } from "./metric";
import {
  bandsBy,
  type KnownMetric,
  type MetricBands,
  metricsThere,
  SWEPT_METRICS,
  type SweptMetrics,
  valuesBy,
} from "./values";

/** True if a recording, by its index, counts in the combined value of a metric. */
type Counts = (metric: KnownMetric, recording: number) => boolean;

const ALL_COUNT: Counts = () => true;

/**
 * Metrics combined over several recordings: their sum, their highest value, or their mean, as each metric defines. `null` if the metric is never
 * combined, if no recording counts, or if a recording that counts lacks it: a sum over the others would look like one over all.
 */
export function summedMetrics(recordings: readonly SweptMetrics[], counts = ALL_COUNT): SweptMetrics {
  return valuesBy(SWEPT_METRICS, (metric) => {
    const counted = recordings.filter((_, at) => counts(metric, at));
    return combined(
      metric,
      counted.map((metrics) => metrics[metric.key]),
    );
  });
}

function combined({ over, unit }: Metric, values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  if (over === "none" || known.length < values.length || known.length === 0) return null;
  const sum = known.reduce((total, value) => total + value, 0);
  // Sums of decimals are not exact: dollars have six.
  if (over === "sum") return unit === "dollars" ? inMicros(sum) : sum;
  if (over === "most") return Math.max(...known);
  const mean = sum / known.length;
  return unit === "share" ? mean : Math.round(mean);
}

function inMicros(dollars: number): number {
  return Math.round(dollars * 1e6) / 1e6;
}

/** A point of one recording: its metrics and their bands. */
interface BandedMetrics {
  readonly metrics: SweptMetrics;
  readonly bands: MetricBands;
}

/**
 * The bands of summed metrics, from the sum of lows to the sum of highs; a lower bound if one of them is. A recording with the metric but without a
 * band has an exact value; if one has neither, the sum has no band.
 */
export function summedBands(all: readonly BandedMetrics[], counts = ALL_COUNT): MetricBands {
  return bandsBy(
    SWEPT_METRICS.filter(({ over }) => over === "sum"),
    (metric) => {
      const { key, unit } = metric;
      const recordings = all.filter((_, at) => counts(metric, at));
      if (recordings.every(({ bands }) => bands[key] === undefined)) return undefined;
      const bands = recordings.flatMap(({ bands, metrics }) => {
        const own = metrics[key];
        return bands[key] ?? (own === null ? [] : { low: own, high: own, lowerBound: false });
      });
      if (bands.length < recordings.length) return undefined;
      const sum = (values: readonly number[]) => {
        const total = values.reduce((before, value) => before + value, 0);
        return unit === "dollars" ? inMicros(total) : total;
      };
      return {
        low: sum(bands.map(({ low }) => low)),
        high: sum(bands.map(({ high }) => high)),
        lowerBound: bands.some(({ lowerBound }) => lowerBound),
      };
    },
  );
}

/** A metric that some recordings lack at some point. */
export interface LackedMetric {
  readonly metric: KnownMetric;
  /** Indices of the recordings that lack it at every point, as those without a price: the sums of the others can be compared. */
  readonly always: ReadonlySet<number>;
  /** Number of recordings that lack it at some points only, which have no sum then. */
  readonly sometimes: number;
}

/**
 * The metrics that recordings lack.
 * @param recordings the points of each
 */
export function lackedMetrics(recordings: readonly (readonly SweptMetrics[])[]): readonly LackedMetric[] {
  const combinable = SWEPT_METRICS.filter(({ over }) => over !== "none");
  const all = recordings.flatMap((points) => points.map((metrics) => ({ metrics })));
  return metricsThere(combinable, all).flatMap((metric) => {
    const lacks = (metrics: SweptMetrics) => metrics[metric.key] === null;
    const always = new Set(recordings.flatMap((points, at) => (points.every(lacks) ? [at] : [])));
    const sometimes = recordings.filter((points) => points.some(lacks)).length - always.size;
    return always.size + sometimes === 0 ? [] : [{ metric, always, sometimes }];
  });
}
