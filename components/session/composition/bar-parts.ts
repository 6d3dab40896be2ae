import { BANDS } from "@/components/charts/bands";
import { OVERHEAD_CATEGORIES } from "@/lib/core/context/categories";
import type { CompositionRow } from "./composition-rows";

/** A segment of the window's bar, with the tokens at which it begins and ends. */
export interface BarPart {
  readonly row: CompositionRow;
  readonly from: number;
  readonly to: number;
}

/** The categories that hold anything, in the chart's stacking order; free space and buffer come last. */
export function barParts(rows: readonly CompositionRow[]): readonly BarPart[] {
  let from = 0;
  return rows
    .filter((row) => row.drawn && row.tokens > 0)
    .sort((a, b) => stackOrder(a) - stackOrder(b))
    .map((row) => {
      const part = { row, from, to: from + row.tokens };
      from = part.to;
      return part;
    });
}

function stackOrder(row: CompositionRow): number {
  const place = BANDS.findIndex(({ id }) => id === row.band?.id);
  return place < 0 ? BANDS.length : place;
}

const GROUPS = ["overhead", "messages", "unattributed", "freeSpace", "autocompactBuffer"] as const;
export type BarGroupId = (typeof GROUPS)[number];

/** Neighbouring segments under one name. */
export interface BarGroup {
  readonly id: BarGroupId;
  readonly from: number;
  readonly tokens: number;
}

/** The segments in groups: all overhead, all messages, and each of the rest by itself. */
export function barGroups(parts: readonly BarPart[]): readonly BarGroup[] {
  return GROUPS.flatMap((id) => {
    const own = parts.filter(({ row }) => groupOf(row) === id);
    const [first] = own;
    if (first === undefined) return [];
    return [{ id, from: first.from, tokens: own.reduce((sum, { row }) => sum + row.tokens, 0) }];
  });
}

function groupOf({ id, level }: CompositionRow): string {
  if (OVERHEAD_CATEGORIES.some((overhead) => overhead === id)) return "overhead";
  return level === 1 ? "messages" : id;
}
