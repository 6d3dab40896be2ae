import type { ItemIndex } from "../base/units";
import type { RaggedColumn } from "../columns/columns";

/**
 * The edits that a call makes, each as its lines.
 * @param edits `RefetchIndex.edits`
 */
export function editsOf(edits: RaggedColumn, row: ItemIndex): readonly Int32Array[] {
  const found: Int32Array[] = [];
  const end = edits.offset[row + 1] ?? 0;
  for (let at = edits.offset[row] ?? 0; at < end; ) {
    const next = at + 1 + (edits.value[at] ?? 0);
    found.push(edits.value.subarray(at + 1, next));
    at = next;
  }
  return found;
}
