import { ORIGIN, type SessionColumns } from "@/lib/core/columns/columns";
import { pointCount } from "@/lib/core/columns/points";

/**
 * The request that every item belongs to. An item of a response belongs to the request that it answers, any other item to the
 * request that first sends it. Items after the last request belong to the last one.
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
