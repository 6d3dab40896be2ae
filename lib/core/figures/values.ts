import type { Band, Change, Figure, FigureInput } from "./figure";
import { FIGURES, type FigureKey, type SweptKey, TRADE_OFF } from "./registry";

/** The figures of a replay; `null` where it does not have one. */
export type Figures = Readonly<Record<FigureKey, number | null>>;

/** The figures of a sweep's point, or of such points combined over several recordings. */
export type SweptFigures = Readonly<Record<SweptKey, number | null>>;

/** The bands of figures; a figure that is known exactly, or not at all, has none. */
export type FigureBands = Readonly<Partial<Record<FigureKey, Band>>>;

/** A figure that one of the registry's keys names. */
export type KnownFigure<Key extends FigureKey = FigureKey> = Figure & { readonly key: Key };

/** Computes every figure of a replay. */
export function figuresOf(input: FigureInput): Figures {
  return valuesBy(FIGURES, (figure) => figure.of(input));
}

/** Computes the band of every figure that has one. */
export function bandsOf(input: FigureInput): FigureBands {
  const figures: readonly KnownFigure[] = FIGURES;
  return bandsBy(figures, ({ band }) => band?.(input));
}

/** A band for every figure that has one. */
export function bandsBy<Key extends FigureKey>(
  figures: readonly KnownFigure<Key>[],
  band: (figure: KnownFigure<Key>) => Band | undefined,
): FigureBands {
  return Object.fromEntries(
    figures.flatMap((figure) => {
      const own = band(figure);
      return own === undefined ? [] : [[figure.key, own]];
    }),
  );
}

/** A value for every figure. */
export function valuesBy<Key extends FigureKey, Value>(
  figures: readonly KnownFigure<Key>[],
  value: (figure: KnownFigure<Key>) => Value,
): Readonly<Record<Key, Value>> {
  // `fromEntries` loses the keys of its entries.
  return Object.fromEntries(figures.map((figure) => [figure.key, value(figure)])) as Record<Key, Value>;
}

/** The figure with a key. Keys in answers are plain text, which may name none. */
export function figureOf(key: FigureKey): KnownFigure;
export function figureOf(key: string): KnownFigure | undefined;
export function figureOf(key: string): KnownFigure | undefined {
  return FIGURES.find((figure) => figure.key === key);
}

/** The figures that are compared, in the order of tables, each with how its difference is given. */
export const COMPARED_FIGURES: readonly ShownFigure[] = shownFigures("compare");

/** The figures of the replay panel's results. */
export const RESULT_FIGURES: readonly ShownFigure[] = shownFigures("results");

/** A figure that is shown beside that of another run. */
type ShownFigure = KnownFigure & { readonly change: Change };

function shownFigures(place: "compare" | "results"): readonly ShownFigure[] {
  return FIGURES.flatMap((figure: KnownFigure) => {
    const change = figure.shown[place];
    return change === undefined ? [] : [{ ...figure, change }];
  });
}

/** The figures without those that were not asked for. @param points everything that is shown */
export function figuresThere<Known extends KnownFigure>(
  figures: readonly Known[],
  points: readonly { readonly figures: Readonly<Partial<Record<FigureKey, number | null>>> }[],
): readonly Known[] {
  const isThere = (key: FigureKey) => points.some((point) => (point.figures[key] ?? null) !== null);
  return figures.filter(({ key, onRequest }) => onRequest !== true || isThere(key));
}

/** The figures of a sweep; those that it plots against each other come first. */
export const SWEPT_FIGURES: readonly KnownFigure<SweptKey>[] = sweptFigures();

function sweptFigures(): readonly KnownFigure<SweptKey>[] {
  const figures: readonly KnownFigure[] = FIGURES;
  const swept = figures.filter((figure): figure is KnownFigure<SweptKey> => figure.shown.sweep === true);
  const isTradedOff = ({ key }: KnownFigure<SweptKey>) => TRADE_OFF.some((one) => one === key);
  return [...swept.filter(isTradedOff), ...swept.filter((figure) => !isTradedOff(figure))];
}
