import type { Band, Figure, FigureUnit } from "@/lib/core/figures/figure";
import { countText } from "./count-text";
import { usdText } from "./usd-text";

/** A figure as a person reads it; `n/a` where it is not known. @param isLeast whether it is the least that it can be */
export function figureText(unit: FigureUnit, value: number | null, isLeast = false): string {
  if (value === null) return countText(value);
  if (unit === "share") return `${(value * 100).toFixed(1)} %`;
  const text = unit === "dollars" ? usdText(value) : countText(value);
  return isLeast ? `≥ ${text}` : text;
}

/** Between what a figure lies; nothing where both ends are the same. */
export function bandText(unit: FigureUnit, { low, high }: Band): string {
  return low === high ? "" : `${figureText(unit, low)}–${figureText(unit, high)}`;
}

/** A figure with its band: `≥ $3.21 ($3.05–$3.40)`; of one that is known as a band alone, the band. */
function bandedText(unit: FigureUnit, value: number | null, band: Band | undefined): string {
  const between = band === undefined ? "" : bandText(unit, band);
  const text = figureText(unit, value, band?.lowerBound);
  if (between === "") return text;
  return value === null ? `${band?.lowerBound ? "≥ " : ""}${between}` : `${text} (${between})`;
}

/** Figures with what the command line calls them in a replay or a sweep, those that it says there: `sent 12,345`. */
export function spokenFigures(
  figures: readonly Figure[],
  place: keyof Figure["text"],
  values: Readonly<Record<string, number | null>>,
  bands: Readonly<Record<string, Band | undefined>> = {},
): readonly string[] {
  return figures.flatMap(({ key, unit, text: { [place]: name } }) =>
    name === undefined ? [] : [`${name} ${bandedText(unit, values[key] ?? null, bands[key])}`],
  );
}
