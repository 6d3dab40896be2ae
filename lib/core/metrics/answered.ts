import { exactBand, openBand } from "./computed";
import type { Band, Metric } from "./metric";
import { FIGURES, type RegisteredMetric } from "./registry";
import {
  bandsBy,
  type Figures,
  type KnownMetric,
  type MetricBands,
  SWEPT_FIGURES,
  type SweptMetrics,
  valuesBy,
} from "./values";

/** The places of an answer that hold figures: the `totals` of a replay or a row, and the row of a sweep itself. */
export type AnswerPlace = NonNullable<Metric["answer"]>;

/** The figures that an answer holds in one place. */
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

/** The figures that an answer holds in a place, in order. */
export function metricsAnswered(place: AnswerPlace): readonly KnownMetric[] {
  return FIGURES.filter((figure: KnownMetric) => figure.answer === place);
}

/** Whether an answer may have `null` in the place of a figure. */
export function isNullable({ mayBeAbsent, zeroWhereAbsent }: Metric): boolean {
  return mayBeAbsent && zeroWhereAbsent !== true;
}

/** The figures of one place of an answer. */
export function answeredMetrics<Place extends AnswerPlace>(place: Place, figures: Figures): AnsweredMetrics<Place> {
  const values = valuesBy(metricsAnswered(place), ({ key, zeroWhereAbsent }) =>
    zeroWhereAbsent === true ? (figures[key] ?? 0) : figures[key],
  );
  // The keys, and which of them may be null, follow from the registry both in the type and in the values.
  return values as AnsweredMetrics<Place>;
}

/** A row of a sweep's answer, as far as it holds figures. */
type AnsweredRow = AnsweredMetrics<"row"> & { readonly totals: AnsweredMetrics<"totals"> };

/** What a sweep shows of a row of an answer. */
export function metricsOfRow(row: AnsweredRow): SweptMetrics {
  const given: Readonly<Record<string, unknown>> = { ...row.totals, ...row };
  return valuesBy(SWEPT_FIGURES, ({ key, answerPart }) =>
    numberOrNull(answerPart === undefined ? given[key] : partsOf(given[key])[answerPart]),
  );
}

/** An answer about one replay, as far as it holds figures. */
interface AnsweredReplay {
  readonly totals: object;
  readonly compactions: readonly unknown[];
}

/**
 * The figures that the answer about one replay tells: its totals, and how many compactions it lists. Those that it has no place for are `null`, and
 * so are those whose absence it cannot tell from 0.
 */
export function metricsOfReplay({ totals, compactions }: AnsweredReplay): Figures {
  const given: Readonly<Record<string, unknown>> = { ...totals, compactions: compactions.length };
  const figures: readonly KnownMetric[] = FIGURES;
  return valuesBy(figures, ({ key, answerPart, zeroWhereAbsent }) =>
    zeroWhereAbsent === true
      ? null
      : numberOrNull(answerPart === undefined ? given[key] : partsOf(given[key])[answerPart]),
  );
}

/** The bands of the figures in some `totals`. */
export function bandsOfTotals(totals: object): MetricBands {
  const given: Readonly<Record<string, unknown>> = { ...totals };
  const figures: readonly KnownMetric[] = FIGURES;
  return bandsBy(figures, ({ key, answerPart, leastWith }) => {
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
