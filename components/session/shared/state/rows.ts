import { FLAG, KIND, ORIGIN, type SessionColumns } from "@/lib/core/columns/columns";
import { pointCount } from "@/lib/core/columns/points";

/** The result of a call, or the call of a result; `undefined` if it is not in the file. */
export function pairedItem({ pair }: Pick<SessionColumns, "pair">, item: number): number | undefined {
  const other = pair[item] ?? -1;
  return other >= 0 ? other : undefined;
}

/** The call that a result answers; `undefined` for other items, and if the call is not in the file. */
export function answeredCall({ pair }: Pick<SessionColumns, "pair">, item: number): number | undefined {
  const other = pairedItem({ pair }, item);
  // A call is paired with its result, which comes later.
  return other !== undefined && other < item ? other : undefined;
}

/** The rows of the transcript. A row is an item, or a call together with its result. */
export interface Rows {
  /** The first item of every row, ascending. */
  readonly items: Int32Array;
  /** The row that shows an item, or the nearest one before it if the item is hidden. */
  readonly rowOf: Int32Array;
  readonly empty: number;
}

type RowColumns = Pick<SessionColumns, "length" | "kind" | "bytes" | "flags" | "overheadRows" | "pair">;

interface RowChoice {
  /** The request that every item belongs to. */
  readonly requestOfItem: Int32Array;
  /** True if empty items get a row as well. */
  readonly showEmpty: boolean;
}

export function transcriptRows(columns: RowColumns, { requestOfItem, showEmpty }: RowChoice): Rows {
  const items = new Int32Array(columns.length);
  const rowOf = new Int32Array(columns.length);
  let rows = 0;
  let empty = 0;
  for (let item = 0; item < columns.length; item += 1) {
    const saysNothing = isEmpty(columns, item);
    if (saysNothing) empty += 1;
    const call = joinedCall(columns, requestOfItem, item);
    if (call === undefined && (showEmpty || !saysNothing)) {
      items[rows] = item;
      rows += 1;
    }
    rowOf[item] = call === undefined ? Math.max(0, rows - 1) : (rowOf[call] ?? 0);
  }
  return { items: items.slice(0, rows), rowOf, empty };
}

/** The result in an item's row; `undefined` if there is none. */
export function resultInRow(
  { items, rowOf }: Rows,
  { pair }: Pick<RowColumns, "pair">,
  item: number,
): number | undefined {
  const result = pair[item] ?? -1;
  return result > item && rowOf[result] === rowOf[item] && items[rowOf[item] ?? 0] === item ? result : undefined;
}

/** The item `by` rows away from an item's row; the first or the last one beyond the ends. */
export function neighbour({ items, rowOf }: Rows, item: number, by: number): number {
  const row = item < 0 ? -1 : (rowOf[item] ?? items.length - 1);
  return items[Math.max(0, Math.min(items.length - 1, row + by))] ?? 0;
}

/** The call whose row shows a result: the answered call, unless other requests were made between the two. */
function joinedCall(columns: RowColumns, requestOfItem: Int32Array, item: number): number | undefined {
  const call = answeredCall(columns, item);
  if (call === undefined || columns.kind[call] !== KIND.tool_call) return undefined;
  return (requestOfItem[item] ?? 0) - (requestOfItem[call] ?? 0) <= 1 ? call : undefined;
}

/** True if an item is a text or thinking without characters, and its text was not just left out of the file. */
function isEmpty({ kind, bytes, flags, overheadRows }: RowColumns, item: number): boolean {
  const isText = kind[item] === KIND.text || kind[item] === KIND.thinking;
  return item >= overheadRows && isText && bytes[item] === 0 && ((flags[item] ?? 0) & FLAG.ESTIMATED) === 0;
}

/**
 * The request of every item. An item of a response belongs to the answered request, any other item to the first request that sends it. Items after
 * the last request belong to the last one.
 */
export function itemRequests(columns: SessionColumns): Int32Array {
  const { firstItem } = columns.requests;
  const last = pointCount(columns) - 1;
  const requests = new Int32Array(columns.length);
  let answered = -1;
  for (let item = columns.overheadRows; item < columns.length; item += 1) {
    while (answered + 1 < columns.requests.length && (firstItem[answered + 1] ?? 0) <= item) answered += 1;
    const belongs = columns.origin[item] === ORIGIN.response ? answered : answered + 1;
    requests[item] = Math.max(0, Math.min(last, belongs));
  }
  return requests;
}

/** The item that represents a request in the list: the first item of its response, else the last item of all. */
export function itemOfRequest(columns: SessionColumns, request: number): number {
  return Math.max(0, Math.min(columns.requests.firstItem[request] ?? columns.length - 1, columns.length - 1));
}
