import { lowerBound } from "@/lib/core/base/lower-bound";
import type { Chars, ItemIndex } from "@/lib/core/base/units";
import { FLAG, type SessionColumns } from "@/lib/core/columns/columns";
import type { ContextView } from "@/lib/core/compaction/policy";
import { firstRecorded } from "@/lib/core/compaction/selection";
import { pendingFrom, RESULT, TOOL } from "./history";
import { isPicture } from "./pictures";

/** A recording's results that can be cleared and its pictures within results, both in the order of the recording. */
export interface Results {
  /** Rows of the results. */
  readonly rows: Int32Array;
  /** Characters of the results before each; one entry more than there are results. */
  readonly before: Float64Array;
  /** Rows of the pictures. */
  readonly pictures: Int32Array;
}

/** All runs over a recording share its table: it follows from the columns alone. Kept by the column that it is made of. */
const tables = new WeakMap<object, Results>();

/** @param cut whether outputs enter the context cut */
export function resultsOf(columns: SessionColumns, cut: boolean): Results {
  const entered = cut ? columns.measures["qwen-code.enteredCurrent"] : undefined;
  const key = entered ?? columns.measures["qwen-code.outputChars"] ?? columns.kind;
  const known = tables.get(key);
  if (known !== undefined) return known;
  const rows: number[] = [];
  const before = [0];
  const pictures: number[] = [];
  for (let row = columns.overheadRows; row < columns.length; row++) {
    if (((columns.flags[row] ?? 0) & FLAG.RECORDED_ONLY) !== 0) continue;
    if (isPicture(columns, row) && columns.origin[row] === TOOL) pictures.push(row);
    const chars = clearableChars(columns, row);
    if (chars === 0) continue;
    rows.push(row);
    before.push((before.at(-1) ?? 0) + (entered?.[row] || chars));
  }
  const table = { rows: Int32Array.from(rows), before: Float64Array.from(before), pictures: Int32Array.from(pictures) };
  tables.set(key, table);
  return table;
}

/** Length of an output that may be cleared, 0 for others: without the measure every result that is no error may be. */
export function clearableChars(columns: SessionColumns, row: ItemIndex): Chars {
  const measure = columns.measures["qwen-code.outputChars"];
  if (measure !== undefined) return measure[row] ?? 0;
  const isError = ((columns.flags[row] ?? 0) & FLAG.ERROR) !== 0;
  return columns.kind[row] === RESULT && !isError ? (columns.chars[row] ?? 0) : 0;
}

/**
 * Whether the history holds so many pictures within results, what is about to be sent not among it. Recorded items of a context are a
 * stretch of the recording, to its end.
 */
export function hasPictures(view: ContextView, { pictures }: Results, many: number): boolean {
  if (pictures.length < many) return false;
  const end = pendingFrom(view);
  const last = end === 0 ? -1 : view.items.at(end - 1);
  const there = pictures.subarray(lowerBound(pictures, firstRecorded(view, 0)), lowerBound(pictures, last + 1));
  return there.length >= many && there.filter((picture) => view.tokensOf(picture) > 0).length >= many;
}
