import {
  type BreakdownCategoryId,
  ITEM_CATEGORIES,
  MESSAGE_PARTS,
  type MessagePartId,
  OVERHEAD_CATEGORIES,
  OVERHEAD_COUNT,
} from "../base/categories";
import type { RequestIndex, Tokens } from "../base/units";
import { type ContextOverhead, itemsWithin, type NamedTokens, NO_OVERHEAD } from "./context-overhead";
import type { ContextSeries } from "./series";

export type BreakdownKind = "recorded" | "estimated" | "inferred" | "derived";

export interface BreakdownRow {
  readonly id: BreakdownCategoryId;
  /** Never negative, except for `autocompactBuffer` (which follows the agent's own arithmetic) and `residual`. */
  readonly tokens: Tokens;
  readonly kind: BreakdownKind;
  /** The parts of `messages`, which sum to it. */
  readonly parts?: readonly {
    readonly id: MessagePartId | "unattributed";
    readonly tokens: Tokens;
    readonly kind: BreakdownKind;
  }[];
  /** Tools, memory files and skills with known names, largest first. They need not sum to the row. */
  readonly items?: readonly NamedTokens[];
}

/** A context size at which the agent warns, compacts or refuses. */
export interface ContextLevel {
  /** The last two are window sizes, not context sizes: the agent warns of a smaller window, or refuses it. */
  readonly id: "warn" | "auto" | "hard" | "effectiveWindow" | "warnBelow" | "blockBelow";
  readonly tokens: Tokens;
}

export interface Breakdown {
  readonly request: RequestIndex;
  /** `null` if the agent's own view shows no total: nothing was sent yet, and the overhead is an estimate. */
  readonly total: { readonly tokens: Tokens; readonly kind: "recorded" | "estimated" } | null;
  /** The rows always sum to the window. */
  readonly rows: readonly BreakdownRow[];
  /** Sizes at which the agent warns, compacts or refuses. `tier` is the agent's name of the level reached. */
  readonly levels?: readonly ContextLevel[];
  readonly tier?: string;
  /** Part of the total that the provider read from its cache. */
  readonly cachedTokens?: Tokens;
}

interface BreakdownParts {
  readonly series: ContextSeries;
  readonly request: RequestIndex;
  readonly window: Tokens;
  /** Context size at which the agent compacts; without it there is no buffer. */
  readonly trigger?: Tokens | undefined;
  /** Overhead that is known by name. */
  readonly overhead?: ContextOverhead;
}

/**
 * Breakdown of the window at a request: overhead, messages by part, the rest. The rows sum to the window. `residual` appears only if context and
 * buffer together exceed it.
 */
export function breakdownAt({ series, request, window, trigger, overhead = NO_OVERHEAD }: BreakdownParts): Breakdown {
  const estimated = series.estimated[request] === 1;
  const total = series.context[request] ?? 0;
  const rows = [...overheadRows(series, request, overhead), messagesRow(series, request, estimated)];
  const unattributed = series.unattributed[request] ?? 0;
  if (unattributed > 0) rows.push({ id: "unattributed", tokens: unattributed, kind: "derived" });
  const buffer = bufferAbove(trigger, window);
  rows.push({ id: "freeSpace", tokens: Math.max(0, window - total - (buffer ?? 0)), kind: "derived" });
  if (buffer !== undefined) rows.push({ id: "autocompactBuffer", tokens: buffer, kind: "derived" });
  return {
    request,
    total: { tokens: total, kind: estimated ? "estimated" : "recorded" },
    rows: closedRows(rows, window),
  };
}

/** Tokens that the agent keeps free above its trigger, at most the whole window. Absent if the trigger exceeds the window. */
export function bufferAbove(trigger: Tokens | undefined, window: Tokens): Tokens | undefined {
  return trigger === undefined || trigger > window ? undefined : window - Math.max(0, trigger);
}

/** Appends a residual row, so that the rows sum to the window. */
export function closedRows(rows: readonly BreakdownRow[], window: Tokens): readonly BreakdownRow[] {
  const residual = window - rows.reduce((sum, row) => sum + row.tokens, 0);
  return residual === 0 ? rows : [...rows, { id: "residual", tokens: residual, kind: "derived" }];
}

/** Overhead categories that are not empty at a request. */
function overheadRows(
  series: ContextSeries,
  request: RequestIndex,
  overhead: ContextOverhead,
): readonly BreakdownRow[] {
  return OVERHEAD_CATEGORIES.flatMap((id, code): BreakdownRow[] => {
    const tokens = series.byCategory[code]?.[request] ?? 0;
    if (tokens <= 0) return [];
    if (id === "overheadInferred") return [{ id, tokens, kind: "inferred" }];
    const items = itemsWithin(
      overhead.categories.find((category) => category.id === id),
      tokens,
    );
    return [{ id, tokens, kind: "estimated", ...(items.length === 0 ? {} : { items }) }];
  });
}

/** Row of the messages by part, as the series divides them. */
export function messagesRow(series: ContextSeries, request: RequestIndex, estimated: boolean): BreakdownRow {
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

/** Category of a column code, for labels. */
export function categoryOfCode(code: number): (typeof ITEM_CATEGORIES)[number] {
  return ITEM_CATEGORIES[code] ?? "other";
}
