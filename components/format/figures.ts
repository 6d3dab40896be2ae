import type { Figure } from "@/lib/core/figures/figure";
import type { Format } from "./format";

type Unit = Pick<Figure, "unit">;

/** A figure in full: 156,579 or 12.5 %. */
export function exactFigure({ unit }: Unit, value: number, format: Format): string {
  return unit === "share" ? format.percent(value, 1) : format.count(value);
}

/** A figure as short as a cell of a map needs it: 157k or 13 %. */
export function shortFigure({ unit }: Unit, value: number, format: Format): string {
  return unit === "share" ? format.percent(value) : format.aligned(value);
}

/** A figure beside an axis. */
export function tickFigure({ unit }: Unit, value: number, format: Format): string {
  return unit === "share" ? format.percent(value) : format.short(value);
}

/** The difference of two figures, as a number; of shares in hundredths. */
export function figureDifference({ unit }: Unit, difference: number, format: Format): string {
  return unit === "share" ? format.change(difference, 1) : format.difference(difference);
}
