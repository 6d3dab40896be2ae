import { lowerBound } from "@/lib/core/base/numbers";
import { FLAG, type SessionColumns } from "@/lib/core/columns/columns";
import type { ContextView } from "@/lib/core/compaction/policy/policy";
import { firstRecorded } from "@/lib/core/compaction/selection";
import { firstPending } from "./history";
import { PART } from "./measures";
import { clearableChars, partBits } from "./parts";

/** A recording's results that may be cleared and its pictures within results, both in the order of the recording. */
export interface Results {
  readonly rows: Int32Array;
  /** Characters of all results before each one; it has one entry more than there are results. */
  readonly before: Float64Array;
  /** Rows of the pictures. */
  readonly pictures: Int32Array;
}

const PICTURE_WITHIN = PART.PICTURE | PART.WITHIN;

/** All runs over a recording share its table, which depends on the columns alone. The key is the column that it is made from. */
const tables = new WeakMap<object, Results>();

/** @param cut true if outputs are cut as they enter the context */
export function resultsOf(columns: SessionColumns, cut: boolean): Results {
  const entered = cut ? columns.measures["qwen-code.enteredCurrent"] : undefined;
  const key = entered ?? columns.measures["qwen-code.part"] ?? columns.kind;
  const known = tables.get(key);
  if (known !== undefined) return known;
  const rows: number[] = [];
  const before = [0];
  const pictures: number[] = [];
  for (let row = columns.overheadRows; row < columns.length; row++) {
    if (((columns.flags[row] ?? 0) & FLAG.RECORDED_ONLY) !== 0) continue;
    if ((partBits(columns, row) & PICTURE_WITHIN) === PICTURE_WITHIN) pictures.push(row);
    const chars = clearableChars(columns, row);
    if (chars === 0) continue;
    rows.push(row);
    before.push((before.at(-1) ?? 0) + (entered?.[row] || chars));
  }
  const table = { rows: Int32Array.from(rows), before: Float64Array.from(before), pictures: Int32Array.from(pictures) };
  tables.set(key, table);
  return table;
}

/** True if the history holds at least this many pictures within results. The recorded items of a context are one range of the recording. */
export function hasPictures(view: ContextView, { pictures }: Results, many: number): boolean {
  if (pictures.length < many) return false;
  const [from, to] = [firstRecorded(view, 0), firstPending(view)];
  const there = pictures.subarray(lowerBound(pictures, from), lowerBound(pictures, to));
  return there.length >= many && there.filter((picture) => view.tokensOf(picture) > 0).length >= many;
}
