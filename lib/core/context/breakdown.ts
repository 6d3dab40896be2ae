import type { RequestIndex, Tokens } from "../base/units";
import type { SessionColumns } from "../columns/columns";
import { isMember, type Membership } from "../columns/membership";
import {
  type BreakdownCategoryId,
  ITEM_CATEGORIES,
  MESSAGE_PARTS,
  type MessagePartId,
  OVERHEAD_CATEGORIES,
  OVERHEAD_COUNT,
} from "./categories";
import type { ContextSeries } from "./series";

export type BreakdownKind = "recorded" | "estimated" | "inferred" | "derived";

export interface BreakdownRow {
  readonly id: BreakdownCategoryId;
  /** Never negative, except `autocompactBuffer` (an agent's own arithmetic) and `residual`. */
  readonly tokens: Tokens;
  readonly kind: BreakdownKind;
  /** Of `messages`: its parts, which sum to it. */
  readonly parts?: readonly { readonly id: MessagePartId; readonly tokens: Tokens; readonly kind: BreakdownKind }[];
}

export interface Breakdown {
  readonly request: RequestIndex;
  readonly total: { readonly tokens: Tokens; readonly kind: "recorded" | "estimated" };
  /** Sum to the window, always. */
  readonly rows: readonly BreakdownRow[];
}

/**
 * What fills the window at a request: overhead, messages by part, the rest. The rows sum to the window; `residual`
 * appears only where context and buffer together exceed it.
 * @param trigger size at which the agent compacts; without it there is no buffer
 */
export function breakdownAt(
  series: ContextSeries,
  request: RequestIndex,
  window: Tokens,
  trigger: Tokens | undefined,
): Breakdown {
  const estimated = series.estimated[request] === 1;
  const total = series.context[request] ?? 0;
  const rows = [...overheadRows(series, request), messagesRow(series, request, estimated)];
  const unattributed = series.unattributed[request] ?? 0;
  if (unattributed > 0) rows.push({ id: "unattributed", tokens: unattributed, kind: "derived" });
  const buffer = trigger === undefined ? undefined : window - trigger;
  const free = Math.max(0, window - total - (buffer ?? 0));
  rows.push({ id: "freeSpace", tokens: free, kind: "derived" });
  if (buffer !== undefined) rows.push({ id: "autocompactBuffer", tokens: buffer, kind: "derived" });
  const residual = window - rows.reduce((sum, row) => sum + row.tokens, 0);
  if (residual !== 0) rows.push({ id: "residual", tokens: residual, kind: "derived" });
  return { request, total: { tokens: total, kind: estimated ? "estimated" : "recorded" }, rows };
}

function overheadRows(series: ContextSeries, request: RequestIndex): BreakdownRow[] {
  return OVERHEAD_CATEGORIES.flatMap((id, code) => {
    const tokens = series.byCategory[code]?.[request] ?? 0;
    return tokens > 0
      ? [{ id, tokens, kind: id === "overheadInferred" ? ("inferred" as const) : ("estimated" as const) }]
      : [];
  });
}

function messagesRow(series: ContextSeries, request: RequestIndex, estimated: boolean): BreakdownRow {
  const parts = MESSAGE_PARTS.map((id, index) => ({
    id,
    tokens: series.byCategory[OVERHEAD_COUNT + index]?.[request] ?? 0,
    kind: "estimated" as const,
  })).filter((part) => part.tokens > 0);
  return {
    id: "messages",
    tokens: parts.reduce((sum, part) => sum + part.tokens, 0),
    kind: estimated ? "estimated" : "inferred",
    parts,
  };
}

/** The largest items of the context at a request, by estimated tokens, largest first. */
export function largestItems(
  columns: SessionColumns,
  tokens: Int32Array,
  membership: Membership,
  request: RequestIndex,
  count: number,
): readonly number[] {
  const members: number[] = [];
  for (let row = columns.overheadRows; row < columns.length; row++) {
    if ((membership.entered[row] ?? 0) <= request && isMember(membership, row, request)) members.push(row);
  }
  return members.sort((a, b) => (tokens[b] ?? 0) - (tokens[a] ?? 0)).slice(0, count);
}

/** Category of a column code; for labels. */
export function categoryOfCode(code: number): (typeof ITEM_CATEGORIES)[number] {
  return ITEM_CATEGORIES[code] ?? "other";
}
