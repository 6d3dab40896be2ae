import type { RaggedColumn } from "../columns/columns";
import { raggedRow } from "../columns/ragged";

/** Cached, because every replay over an index needs the count. */
const counts = new WeakMap<RaggedColumn["value"], number>();
const rows = new WeakMap<RaggedColumn["value"], RaggedColumn>();

/** One more than the highest value of a column. */
export function valueCount({ value }: RaggedColumn): number {
  const known = counts.get(value);
  if (known !== undefined) return known;
  let most = -1;
  for (const one of value) most = Math.max(most, one);
  counts.set(value, most + 1);
  return most + 1;
}

/** The rows that hold each value, ascending. */
export function transposed(column: RaggedColumn): RaggedColumn {
  const known = rows.get(column.value);
  if (known !== undefined) return known;
  const values = valueCount(column);
  const offset = new Int32Array(values + 1);
  for (const one of column.value) offset[one + 1] = (offset[one + 1] ?? 0) + 1;
  for (let one = 0; one < values; one++) offset[one + 1] = (offset[one + 1] ?? 0) + (offset[one] ?? 0);
  const next = offset.slice();
  const value = new Int32Array(column.value.length);
  for (let row = 0; row + 1 < column.offset.length; row++) {
    for (const one of raggedRow(column, row)) {
      const at = next[one] ?? 0;
      value[at] = row;
      next[one] = at + 1;
    }
  }
  const made = { offset, value };
  rows.set(column.value, made);
  return made;
}
