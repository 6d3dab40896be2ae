import { BANDS, type Band, bandOfCategory } from "@/components/charts/bands";
import type { SessionColumns } from "@/lib/core/columns/columns";
import type { Membership } from "@/lib/core/columns/membership";
import { categoryOfCode } from "@/lib/core/context/breakdown";

/** What of one band left the context at a boundary. */
export interface DroppedBand {
  readonly band: Band;
  readonly items: number;
  /** Estimate. */
  readonly tokens: number;
}

/** Items of the recording that left a context before a request, in file order. */
export function droppedItems(columns: SessionColumns, context: Membership, request: number): readonly number[] {
  const dropped: number[] = [];
  for (let item = columns.overheadRows; item < columns.length; item += 1) {
    // What entered with the very request that dropped it was in the context when the policy was asked.
    if (context.dropped[item] === request && (context.entered[item] ?? 0) <= request) dropped.push(item);
  }
  return dropped;
}

/** Items by band, in stacking order, top first. */
export function byBand(columns: SessionColumns, tokens: Int32Array, items: readonly number[]): readonly DroppedBand[] {
  const sums = new Map<string, { items: number; tokens: number }>();
  for (const item of items) {
    const id = bandOfCategory(categoryOfCode(columns.category[item] ?? -1))?.id ?? "other";
    const sum = sums.get(id) ?? { items: 0, tokens: 0 };
    sums.set(id, { items: sum.items + 1, tokens: sum.tokens + (tokens[item] ?? 0) });
  }
  return BANDS.flatMap((band) => {
    const sum = sums.get(band.id);
    return sum === undefined ? [] : [{ band, ...sum }];
  }).reverse();
}

/** The largest of some items by tokens, largest first. */
export function largestOf(items: readonly number[], tokens: Int32Array, count: number): readonly number[] {
  return [...items].sort((a, b) => (tokens[b] ?? 0) - (tokens[a] ?? 0)).slice(0, count);
}
