import type { ItemIndex } from "../../base/units";
import { KIND, type SessionColumns } from "../../columns/columns";
import { NEVER } from "../../columns/membership";

const NONE: readonly never[] = [];

/** Which calls have results after a row. Where a stretch of items leaves, only these calls may leave a result without its call. */
export interface OpenCalls {
  /** For every row, the earliest call at or before it that has a result after it; `NEVER` if none has. */
  readonly earliest: Int32Array;
  /** Whether some result stands before its call. If so, the position of a call says nothing about where its results are. */
  readonly isOdd: boolean;
}

/** @param moreResults all results of the calls that have more than one, since `columns.pair` holds only the first */
export function openCalls(
  columns: SessionColumns,
  moreResults: ReadonlyMap<ItemIndex, readonly ItemIndex[]>,
): OpenCalls {
  const { kind, pair, length, overheadRows } = columns;
  const earliest = new Int32Array(length).fill(NEVER);
  // The calls in order, and the last result of each. No call before `first` has a result after the current row.
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
