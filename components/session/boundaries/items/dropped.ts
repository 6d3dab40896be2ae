import { BANDS, type Band, bandOfCategory } from "@/components/charts/bands";
import type { BoundaryItem } from "@/lib/core/compaction/boundary-items";

/** How much of one band left the context at a boundary. */
export interface DroppedBand {
  readonly band: Band;
  readonly items: number;
  /** Tokens by the boundary's own count. */
  readonly tokens: number;
}

/** The items that left a context at a boundary, each with the size that it had there, in item order. */
export function droppedItems(items: readonly BoundaryItem[]): readonly BoundaryItem[] {
  return items.filter(({ state }) => state === "dropped");
}

/** Items by band, in stacking order, top first. */
export function byBand(
  items: readonly BoundaryItem[],
  categoryOf: (item: BoundaryItem) => string,
): readonly DroppedBand[] {
  const sums = new Map<string, { items: number; tokens: number }>();
  for (const item of items) {
    const id = bandOfCategory(categoryOf(item))?.id ?? "other";
    const sum = sums.get(id) ?? { items: 0, tokens: 0 };
    sums.set(id, { items: sum.items + 1, tokens: sum.tokens + item.before });
  }
  return BANDS.flatMap((band) => {
    const sum = sums.get(band.id);
    return sum === undefined ? [] : [{ band, ...sum }];
  }).reverse();
}

/** The largest of the recording's own items, largest first. What an earlier compaction added is left out: it has no place in the transcript. */
export function largestOf(items: readonly BoundaryItem[], count: number): readonly BoundaryItem[] {
  return items
    .filter(({ synthetic }) => synthetic === undefined)
    .sort((a, b) => b.before - a.before)
    .slice(0, count);
}
