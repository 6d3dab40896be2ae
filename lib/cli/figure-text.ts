import type { Figure, FigureUnit } from "@/lib/core/figures/figure";
import { countText } from "./count-text";

/** A figure as a person reads it; `n/a` where it is not known. */
export function figureText(unit: FigureUnit, value: number | null): string {
  return unit === "share" && value !== null ? `${(value * 100).toFixed(1)} %` : countText(value);
}

/** Figures with what the command line calls them in a replay or a sweep, those that it says there: `sent 12,345`. */
export function spokenFigures(
  figures: readonly Figure[],
  place: keyof Figure["text"],
  values: Readonly<Record<string, number | null>>,
): readonly string[] {
  return figures.flatMap(({ key, unit, text: { [place]: name } }) =>
    name === undefined ? [] : [`${name} ${figureText(unit, values[key] ?? null)}`],
  );
}
