import { exactBand, openBand } from "./computed";
import type { Band, Figure } from "./figure";
import { FIGURES, type RegisteredFigure } from "./registry";
import {
  bandsBy,
  type FigureBands,
  type Figures,
  type KnownFigure,
  SWEPT_FIGURES,
  type SweptFigures,
  valuesBy,
} from "./values";

/** The places of an answer that hold figures: the `totals` of a replay or a row, and the row of a sweep itself. */
export type AnswerPlace = NonNullable<Figure["answer"]>;

/** The figures that an answer holds in one place. */
export type AnsweredFigures<Place extends AnswerPlace> = {
  readonly [One in Extract<RegisteredFigure, { readonly answer: Place }> as One["key"]]: HasNull<One> extends true
    ? number | null
    : number;
};

type HasNull<One> = One extends { readonly mayBeAbsent: true }
  ? One extends { readonly zeroWhereAbsent: true }
    ? false
    : true
  : false;

/** The figures that an answer holds in a place, in order. */
export function figuresAnswered(place: AnswerPlace): readonly KnownFigure[] {
  return FIGURES.filter((figure: KnownFigure) => figure.answer === place);
}

/** Whether an answer may have `null` in the place of a figure. */
export function isNullable({ mayBeAbsent, zeroWhereAbsent }: Figure): boolean {
  return mayBeAbsent && zeroWhereAbsent !== true;
}

/** The figures of one place of an answer. */
export function answeredFigures<Place extends AnswerPlace>(place: Place, figures: Figures): AnsweredFigures<Place> {
  const values = valuesBy(figuresAnswered(place), ({ key, zeroWhereAbsent }) =>
    zeroWhereAbsent === true ? (figures[key] ?? 0) : figures[key],
  );
  // The keys, and which of them may be null, follow from the registry both in the type and in the values.
  return values as AnsweredFigures<Place>;
}

/** A row of a sweep's answer, as far as it holds figures. */
type AnsweredRow = AnsweredFigures<"row"> & { readonly totals: AnsweredFigures<"totals"> };

/** What a sweep shows of a row of an answer. */
export function figuresOfRow(row: AnsweredRow): SweptFigures {
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
export function figuresOfReplay({ totals, compactions }: AnsweredReplay): Figures {
  const given: Readonly<Record<string, unknown>> = { ...totals, compactions: compactions.length };
  const figures: readonly KnownFigure[] = FIGURES;
  return valuesBy(figures, ({ key, answerPart, zeroWhereAbsent }) =>
    zeroWhereAbsent === true
      ? null
      : numberOrNull(answerPart === undefined ? given[key] : partsOf(given[key])[answerPart]),
  );
}

/** The bands of the figures in some `totals`. */
export function bandsOfTotals(totals: object): FigureBands {
  const given: Readonly<Record<string, unknown>> = { ...totals };
  const figures: readonly KnownFigure[] = FIGURES;
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
