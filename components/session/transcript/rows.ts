import { FLAG, KIND, type SessionColumns } from "@/lib/core/columns/columns";

/** Which items the list shows, each in a row of its own. */
export interface Rows {
  /** The item of every row, ascending. */
  readonly items: Int32Array;
  /** The row that shows an item, or the nearest one before it where the item is folded away. */
  readonly rowOf: Int32Array;
  /** Number of items that say nothing. */
  readonly empty: number;
}

type RowColumns = Pick<SessionColumns, "length" | "kind" | "bytes" | "flags" | "overheadRows">;

/** @param showEmpty whether items that say nothing get a row all the same */
export function transcriptRows(columns: RowColumns, { showEmpty }: { readonly showEmpty: boolean }): Rows {
  const items = new Int32Array(columns.length);
  const rowOf = new Int32Array(columns.length);
  let rows = 0;
  let empty = 0;
  for (let item = 0; item < columns.length; item += 1) {
    const saysNothing = isEmpty(columns, item);
    if (saysNothing) empty += 1;
    if (showEmpty || !saysNothing) {
      items[rows] = item;
      rows += 1;
    }
    rowOf[item] = Math.max(0, rows - 1);
  }
  return { items: items.slice(0, rows), rowOf, empty };
}

/** The item that is `by` rows away from an item's row; the first or the last one beyond the ends. */
export function neighbour({ items, rowOf }: Rows, item: number, by: number): number {
  const row = item < 0 ? -1 : (rowOf[item] ?? items.length - 1);
  return items[Math.max(0, Math.min(items.length - 1, row + by))] ?? 0;
}

/** Whether an item is a text or thinking without a single character, and not one whose text was only left out of the file. */
function isEmpty({ kind, bytes, flags, overheadRows }: RowColumns, item: number): boolean {
  const isText = kind[item] === KIND.text || kind[item] === KIND.thinking;
  return item >= overheadRows && isText && bytes[item] === 0 && ((flags[item] ?? 0) & FLAG.ESTIMATED) === 0;
}
