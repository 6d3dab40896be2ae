import type { Figure } from "./figure";
import { type KnownFigure, SWEPT_FIGURES, type SweptFigures, valuesBy } from "./values";

/**
 * Figures combined over several recordings: their sum, their highest value, or their mean, as each figure defines. `null` where one of the recordings
 * lacks the figure, since a sum over the others would be read as one over all, and where the figure is never combined.
 */
export function summedFigures(recordings: readonly SweptFigures[]): SweptFigures {
  return valuesBy(SWEPT_FIGURES, (figure) =>
    combined(
      figure,
      recordings.map((figures) => figures[figure.key]),
    ),
  );
}

function combined({ over, unit }: Figure, values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  if (over === "none" || known.length < values.length || known.length === 0) return null;
  const sum = known.reduce((total, value) => total + value, 0);
  if (over === "sum") return sum;
  if (over === "most") return Math.max(...known);
  const mean = sum / known.length;
  return unit === "share" ? mean : Math.round(mean);
}

/** A figure that some recordings lack at one point or another, so that it has no combined value. */
export interface LackedFigure {
  readonly figure: KnownFigure;
  /** How many recordings lack it. */
  readonly recordings: number;
}

/** The figures without a combined value because recordings lack them. @param recordings the points of each */
export function lackedFigures(recordings: readonly (readonly SweptFigures[])[]): readonly LackedFigure[] {
  return SWEPT_FIGURES.filter(({ over }) => over !== "none").flatMap((figure) => {
    const lacking = recordings.filter((points) => points.some((figures) => figures[figure.key] === null));
    return lacking.length === 0 ? [] : [{ figure, recordings: lacking.length }];
  });
}
