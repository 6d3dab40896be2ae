import { BANDS, type Band, type CategorySeries } from "@/components/charts/bands";
import { ITEM_CATEGORIES } from "@/lib/core/context/categories";

/** One band at one request, as recorded and as simulated. */
export interface CardRow {
  readonly band: Band;
  readonly recorded: number;
  /** The recorded tokens as a share of the window. */
  readonly share: number;
  readonly simulated: number;
}

/** The bands that hold anything at a request, recorded or simulated; the top of the stack comes first. */
export function cardRows(
  recorded: CategorySeries,
  simulated: CategorySeries,
  request: number,
  window: number,
): readonly CardRow[] {
  return BANDS.map((band): CardRow => {
    const tokens = bandAt(recorded, band, request);
    return {
      band,
      recorded: tokens,
      share: window > 0 ? tokens / window : 0,
      simulated: bandAt(simulated, band, request),
    };
  })
    .filter((row) => row.recorded !== 0 || row.simulated !== 0)
    .reverse();
}

/** A band's tokens at one request. */
function bandAt(series: CategorySeries, band: Band, request: number): number {
  if (band.id === "unattributed") return series.unattributed?.[request] ?? 0;
  return band.categories.reduce((sum, id) => sum + (series.byCategory[ITEM_CATEGORIES.indexOf(id)]?.[request] ?? 0), 0);
}
