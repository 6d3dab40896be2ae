import type { ItemIndex } from "../base/units";
import { KIND, type SessionColumns } from "../columns/columns";
import { NEVER } from "../columns/membership";

const NONE: readonly never[] = [];

/** Which calls have results behind a row: where a stretch of items leaves, only these may leave a result without its call. */
export interface OpenCalls {
  /** For every row the earliest call at it or before it that has a result behind it; `NEVER` where none has. */
  readonly earliest: Int32Array;
  /** Whether some result stands in front of its call: then nothing follows from where a call stands. */
  readonly isOdd: boolean;
}

/** @param moreResults of the calls that have more than one: `columns.pair` knows the first alone */
export function openCalls(
  columns: SessionColumns,
  moreResults: ReadonlyMap<ItemIndex, readonly ItemIndex[]>,
): OpenCalls {
  const { kind, pair, length, overheadRows } = columns;
  const earliest = new Int32Array(length).fill(NEVER);
  // Calls in their order, and each one's last result: those before `first` have nothing behind the row.
  const [calls, last]: [ItemIndex[], ItemIndex[]] = [[], []];
  let first = 0;
  let isOdd = false;
  for (let row = overheadRows; row < length; row++) {
    if (kind[row] === KIND.tool_call) {
      const results = [pair[row] ?? -1, ...(moreResults.get(row) ?? NONE)];
      isOdd ||= results.some((result) => result >= 0 && result < row);
      calls.push(row);
      last.push(results.reduce((most, result) => Math.max(most, result), -1));
    }
    while (first < calls.length && (last[first] ?? -1) <= row) first += 1;
    earliest[row] = calls[first] ?? NEVER;
  }
  return { earliest, isOdd };
}
