import { type BoundaryItem, ITEM_STATES, type ItemState } from "@/lib/core/compaction/boundary-items";

/** A part of the context before and after a boundary. */
export interface SumRow {
  /** `overhead`: what is sent beside the messages. `unattributed`: what no item accounts for, below 0 where the items are estimated too large. */
  readonly id: ItemState | "overhead" | "unattributed";
  /** Absent for what does not consist of items. */
  readonly items?: number;
  readonly before: number;
  /** `null` where no request follows the boundary, so that nothing is known of the context after it. */
  readonly after: number | null;
}

export interface BoundarySums {
  readonly rows: readonly SumRow[];
  readonly before: number;
  readonly after: number | null;
}

interface SumsInput {
  readonly items: readonly BoundaryItem[];
  /** Tokens of the overhead, by the count that gives the items' sizes. */
  readonly overhead: number;
  readonly before: number;
  readonly after: number | null;
}

/** The contexts before and after a boundary as sums of their parts. Parts without items or tokens are left out. */
export function boundarySums({ items, overhead, before, after }: SumsInput): BoundarySums {
  const known = after !== null;
  const states = ITEM_STATES.map((id): SumRow & { readonly items: number } => {
    const own = items.filter(({ state }) => state === id);
    const sum = (side: "before" | "after") => own.reduce((total, item) => total + item[side], 0);
    return { id, items: own.length, before: sum("before"), after: known ? sum("after") : null };
  }).filter((row) => row.items > 0);
  const parts: readonly SumRow[] = [{ id: "overhead", before: overhead, after: known ? overhead : null }, ...states];
  const rest: SumRow = {
    id: "unattributed",
    before: before - parts.reduce((sum, row) => sum + row.before, 0),
    after: after === null ? null : after - parts.reduce((sum, row) => sum + (row.after ?? 0), 0),
  };
  const isThere = (row: SumRow) => row.before !== 0 || (row.after ?? 0) !== 0 || row.items !== undefined;
  return { rows: [...parts, rest].filter(isThere), before, after };
}
