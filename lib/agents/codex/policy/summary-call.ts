import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import { KIND, ORIGIN } from "@/lib/core/columns/columns";
import type { ContextView } from "@/lib/core/compaction/policy";
import { callSize } from "@/lib/core/compaction/retention";
import { tokensEntering } from "./usage";

/** The call for a summary: its size, and the items that are left out so that it fits the window. */
export interface SummaryCall {
  readonly tokens: Tokens;
  readonly unsent: readonly ItemIndex[];
}

/**
 * The call for a summary of the history. While it exceeds the window, a local call loses its oldest item, with the output of a call. A service cuts
 * its own call, of which only the window is known. Source: README.md, "History"; core/src/compact.rs.
 * @param end position after the history
 */
export function summaryCall(view: ContextView, end: number, remote: boolean): SummaryCall {
  const { columns, items, window } = view;
  let tokens = view.history - tokensEntering(view);
  if (tokens <= window || remote) return { tokens: callSize(Math.min(tokens, window)), unsent: [] };
  const unsent = new Set<ItemIndex>();
  const leaveOut = (item: ItemIndex) => {
    if (unsent.has(item)) return;
    unsent.add(item);
    tokens -= view.tokensOf(item);
  };
  for (let position = 0; position < end; position++) {
    const item = items.at(position);
    if (tokens <= window && !(unsent.has(item - 1) && goesOn(view, item))) break;
    leaveOut(item);
    const output = columns.kind[item] === KIND.tool_call ? (columns.pair[item] ?? -1) : -1;
    if (output < 0 || !items.has(output)) continue;
    leaveOut(output);
    for (let row = output + 1; goesOn(view, row); row++) leaveOut(row);
  }
  return { tokens: callSize(tokens), unsent: [...unsent].filter((item) => item < columns.length) };
}

/** Whether a row belongs to the same item of Codex's history as the row before it: a further text or image of a message, or of an output. */
function goesOn({ columns }: ContextView, row: ItemIndex): boolean {
  const { kind, message, origin, pair } = columns;
  if (row <= columns.overheadRows || row >= columns.length || message[row] !== message[row - 1]) return false;
  const isOutput = (at: ItemIndex) =>
    kind[at] === KIND.tool_result || (kind[at] === KIND.image && origin[at] === ORIGIN.tool);
  if (kind[row] === KIND.tool_result) return isOutput(row - 1) && (pair[row] ?? -1) === lastCall(row - 1);
  if (kind[row] === KIND.image && isOutput(row)) return isOutput(row - 1);
  const isContent = (at: ItemIndex) => kind[at] === KIND.text || kind[at] === KIND.image;
  return isContent(row) && isContent(row - 1);

  /** The call of the output that a row is part of. */
  function lastCall(from: ItemIndex): ItemIndex {
    let at = from;
    while (at > columns.overheadRows && kind[at] === KIND.image) at -= 1;
    return pair[at] ?? -1;
  }
}
