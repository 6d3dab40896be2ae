import { atLeast, exactFigure, figureDifference } from "@/components/format/figures";
import type { Format } from "@/components/format/format";
import type { Band, Figure } from "@/lib/core/figures/figure";

/** A figure as the table writes it. `null` stands for absent. */
export interface FigureText {
  readonly value: string | null;
  /** The exact value, where `value` is shortened. */
  readonly exact?: string;
  /** Difference to the base; `null` where either is absent. */
  readonly change: string | null;
}

/** What is needed to write a figure of a comparison. */
type ComparedFigure = Pick<Figure, "unit" | "shown">;

/**
 * Writes a figure and its difference to the base.
 * @param requests writes a number of requests
 */
export function figureText(
  figure: ComparedFigure,
  value: number | null,
  base: number | null,
  format: Format,
  requests: (count: string) => string,
  band?: Band,
): FigureText {
  if (value === null) return { value: null, change: null };
  const change = base === null ? null : changeText(figure, value, base, format);
  const exact = atLeast(exactFigure(figure, value, format), band);
  if (figure.unit === "requests") return { value: requests(exact), change };
  // Sums of tokens are large.
  const isLong = figure.unit === "tokens" && figure.shown.compare === "share";
  return isLong ? { value: format.sum(value), exact, change } : { value: exact, change };
}

function changeText(figure: ComparedFigure, value: number, base: number, format: Format): string | null {
  if (figure.shown.compare !== "share") return figureDifference(figure, value - base, format);
  if (value === base) return "±0";
  return base === 0 ? null : format.change((value - base) / base, 1);
}
