/** The breakdown's categories, in the order of docs/interfaces.md, "Breakdown": overhead, messages by part, and the rest of the window. */

export const OVERHEAD_CATEGORIES = [
  "systemPrompt",
  "startupContext",
  "builtinTools",
  "mcpTools",
  "deferredTools",
  "customAgents",
  "slashCommands",
  "skills",
  "memoryFiles",
  "overheadInferred",
] as const;

/** Parts of `messages`. `other` is context from the agent that fits nowhere else. */
export const MESSAGE_PARTS = [
  "user",
  "assistant",
  "thinking",
  "toolCalls",
  "toolResults",
  "summaries",
  "attachments",
  "other",
] as const;

export type OverheadCategoryId = (typeof OVERHEAD_CATEGORIES)[number];
export type MessagePartId = (typeof MESSAGE_PARTS)[number];

/** The categories of the columns' rows; the index into this list is the value of the column `category`. */
export const ITEM_CATEGORIES = [...OVERHEAD_CATEGORIES, ...MESSAGE_PARTS] as const;
export type ItemCategoryId = (typeof ITEM_CATEGORIES)[number];

/** Number of overhead categories: rows with a smaller `category` are overhead. */
export const OVERHEAD_COUNT = OVERHEAD_CATEGORIES.length;

const codes = new Map<string, number>(ITEM_CATEGORIES.map((id, index) => [id, index]));

/** Code of a category in the column `category`. */
export function categoryCode(id: ItemCategoryId): number {
  return codes.get(id) ?? 0;
}

/** Category ids of a breakdown, in display order. */
const BREAKDOWN_CATEGORIES = [
  ...OVERHEAD_CATEGORIES,
  "messages",
  "unattributed",
  "freeSpace",
  "autocompactBuffer",
  "residual",
] as const;
export type BreakdownCategoryId = (typeof BREAKDOWN_CATEGORIES)[number];
