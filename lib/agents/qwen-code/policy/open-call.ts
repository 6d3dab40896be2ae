import type { ItemIndex } from "@/lib/core/base/units";
import type { ContextView } from "@/lib/core/compaction/policy/policy";
import { CALL, IMAGE, RESPONSE, RESULT } from "./history";

/** The last response of a history if it calls a tool, with all of its messages if the recording has several. */
export function openCall(view: ContextView, history: readonly ItemIndex[]): readonly ItemIndex[] {
  const { kind, length } = view.columns;
  let from = history.length;
  while (from > 0 && isOfResponse(view, history[from - 1] ?? length)) {
    from -= 1;
    if (startsResponse(view, history[from] ?? length)) break;
  }
  const items = history.slice(from);
  return items.some((item) => kind[item] === CALL) ? items : [];
}

function isOfResponse({ columns }: ContextView, item: ItemIndex): boolean {
  return item < columns.length && columns.origin[item] === RESPONSE;
}

/** True if a response begins with this item. The search relies on request points being in the order of the rows. */
function startsResponse({ columns, request }: ContextView, item: ItemIndex): boolean {
  const { firstItem } = columns.requests;
  for (let point = request - 1; point >= 0 && (firstItem[point] ?? 0) >= item; point--) {
    if (firstItem[point] === item) return true;
  }
  return false;
}

/** Drops results whose call is not among the items, together with the parts within them; a result that names no call is kept. */
export function withTheirCalls(view: ContextView, items: readonly ItemIndex[]): readonly ItemIndex[] {
  const { kind, pair, message } = view.columns;
  const isBound = (item: ItemIndex) => kind[item] === RESULT && (pair[item] ?? -1) >= 0;
  if (!items.some(isBound)) return items;
  const kept = new Set(items);
  let orphan = -1;
  return items.filter((item) => {
    if (kind[item] === RESULT) orphan = isBound(item) && !kept.has(pair[item] ?? -1) ? item : -1;
    else if (kind[item] !== IMAGE || orphan < 0 || message[item] !== message[orphan]) orphan = -1;
    return orphan < 0;
  });
}
