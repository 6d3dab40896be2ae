import type { Chars, ItemIndex } from "@/lib/core/base/units";
import { FLAG, type SessionColumns } from "@/lib/core/columns/columns";
import { IMAGE, RESULT } from "./history";
import { PART } from "./measures";

/** The bits of `PART` for a row. Without the measure, every result counts as one that may be cleared. */
export function partBits(columns: SessionColumns, row: ItemIndex): number {
  const measure = columns.measures["qwen-code.part"];
  if (measure !== undefined) return measure[row] ?? 0;
  const { kind, flags } = columns;
  const within = belongsToResult(columns, row) ? PART.WITHIN : 0;
  if (kind[row] === IMAGE) return PART.PICTURE | within;
  if (kind[row] !== RESULT || within !== 0) return within;
  return PART.CLEARABLE | (((flags[row] ?? 0) & FLAG.ERROR) !== 0 ? PART.ERROR : 0);
}

/** True if a row follows the result that it belongs to: an image, or a further text of the same call. */
function belongsToResult({ kind, message, pair, overheadRows }: SessionColumns, row: ItemIndex): boolean {
  const isText = kind[row] === RESULT;
  if (!isText && kind[row] !== IMAGE) return false;
  for (let before = row - 1; before >= overheadRows && message[before] === message[row]; before--) {
    if (kind[before] === RESULT) return !isText || ((pair[row] ?? -1) >= 0 && pair[before] === pair[row]);
    if (kind[before] !== IMAGE) return false;
  }
  return false;
}

/** The rows within the response of a result, in order. */
export function rowsWithin(columns: SessionColumns, result: ItemIndex): readonly ItemIndex[] {
  const { message, length } = columns;
  const rows: ItemIndex[] = [];
  for (let row = result + 1; row < length && message[row] === message[result]; row++) {
    if ((partBits(columns, row) & PART.WITHIN) === 0) break;
    rows.push(row);
  }
  return rows;
}

/** Length of an output that may be cleared; 0 for any other row. */
export function clearableChars(columns: SessionColumns, row: ItemIndex): Chars {
  const measure = columns.measures["qwen-code.outputChars"];
  if (measure !== undefined) return measure[row] ?? 0;
  return partBits(columns, row) === PART.CLEARABLE ? (columns.chars[row] ?? 0) : 0;
}
