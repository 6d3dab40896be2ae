import type { ItemIndex, RequestIndex } from "../base/units";
import type { SessionColumns } from "./columns";

/** Number of request points: one per response. A session without a response has a single point for its whole content. */
export function pointCount(columns: SessionColumns): number {
  return Math.max(1, columns.requests.length);
}

/** First item that was not sent with the request: the first item of its response. */
export function pointEnd(columns: SessionColumns, point: RequestIndex): ItemIndex {
  return columns.requests.firstItem[point] ?? columns.length;
}
