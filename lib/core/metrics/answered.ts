import { exactBand, openBand } from "./computed";
import type { Band, Metric } from "./metric";
import { METRICS, type RegisteredMetric } from "./registry";
import {
  bandsBy,
  type KnownMetric,
  type MetricBands,
  type Metrics,
  SWEPT_METRICS,
  type SweptMetrics,
  valuesBy,
} from "./values";

/** Parts of an answer that hold metrics: the `totals` of a replay or a row, and the row of a sweep itself. */
export type AnswerPlace = NonNullable<Metric["answer"]>;

/** The metrics that an answer holds in one part. */
export type AnsweredMetrics<Place extends AnswerPlace> = {
  readonly [One in Extract<RegisteredMetric, { readonly answer: Place }> as One["key"]]: HasNull<One> extends true
    ? number | null
    : number;
};

type HasNull<One> = One extends { readonly mayBeAbsent: true }
  ? One extends { readonly zeroWhereAbsent: true }
    ? false
    : true
  : false;

/** The registry entries of the metrics in one part of an answer, in order. */
export function metricsAnswered(place: AnswerPlace): readonly KnownMetric[] {
  return METRICS.filter((metric: KnownMetric) => metric.answer === place);
}

/** True if an answer may have `null` for a metric. */
export function isNullable({ mayBeAbsent, zeroWhereAbsent }: Metric): boolean {
  return mayBeAbsent && zeroWhereAbsent !== true;
}

/** The values of the metrics in one part of an answer. */
export function answeredMetrics<Place extends AnswerPlace>(place: Place, metrics: Metrics): AnsweredMetrics<Place> {
  const values = valuesBy(metricsAnswered(place), ({ key, zeroWhereAbsent }) =>
    zeroWhereAbsent === true ? (metrics[key] ?? 0) : metrics[key],
  );
  // The registry determines the keys, and which of them may be null, both in the type and in the values.
  return values as AnsweredMetrics<Place>;
}

/** The metrics of a row in a sweep's answer. */
type AnsweredRow = AnsweredMetrics<"row"> & { readonly totals: AnsweredMetrics<"totals"> };

/** The metrics that a sweep shows for a row of an answer. */
export function metricsOfRow(row: AnsweredRow): SweptMetrics {
  const given: Readonly<Record<string, unknown>> = { ...row.totals, ...row };
  return valuesBy(SWEPT_METRICS, ({ key, answerPart }) =>
    numberOrNull(answerPart === undefined ? given[key] : partsOf(given[key])[answerPart]),
  );
}

/** The metrics of an answer about one replay. */
interface AnsweredReplay {
  readonly totals: object;
  readonly compactions: readonly unknown[];
}

/**
 * Metrics from the answer about one replay: its totals, and the number of compactions in its list. Metrics that the answer lacks, or has as a 0 that
 * may mean absence, are `null`.
 */
export function metricsOfReplay({ totals, compactions }: AnsweredReplay): Metrics {
  const given: Readonly<Record<string, unknown>> = { ...totals, compactions: compactions.length };
  const metrics: readonly KnownMetric[] = METRICS;
  return valuesBy(metrics, ({ key, answerPart, zeroWhereAbsent }) =>
    zeroWhereAbsent === true
      ? null
      : numberOrNull(answerPart === undefined ? given[key] : partsOf(given[key])[answerPart]),
  );
}

/** One metric of each run of a comparison, including the runs that are not compared, whose `values` are `null`. */
export function valuesOfRuns(
  { metric, values, apart }: Readonly<{ metric: string; values: readonly (number | null)[]; apart: readonly number[] }>,
  runs: readonly AnsweredReplay[],
): readonly (number | null)[] {
  return values.map((value, at) => {
    const run = apart.includes(at) ? runs[at] : undefined;
    const own: Readonly<Record<string, number | null>> = run === undefined ? {} : metricsOfReplay(run);
    return own[metric] ?? value;
  });
}

/** The bands of the metrics in some `totals`. */
export function bandsOfTotals(totals: object): MetricBands {
  const given: Readonly<Record<string, unknown>> = { ...totals };
  const metrics: readonly KnownMetric[] = METRICS;
  return bandsBy(metrics, ({ key, answerPart, leastWith }) => {
    if (answerPart !== undefined) return bandIn(given[key]);
    const value = numberOrNull(given[key]);
    if (leastWith === undefined || value === null) return undefined;
    return exactBand(value, partsOf(given[leastWith]).lowerBound === true);
  });
}

function bandIn(answered: unknown): Band | undefined {
  const { low, high, lowerBound } = partsOf(answered);
  if (typeof low !== "number" || typeof high !== "number") return undefined;
  return openBand({ low, high, lowerBound: lowerBound === true });
}

function partsOf(answered: unknown): Readonly<Record<string, unknown>> {
  return typeof answered === "object" && answered !== null ? { ...answered } : {};
}

function numberOrNull(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}
