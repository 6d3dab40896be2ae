import type { ItemIndex, RequestIndex } from "../base/units";
import { FLAG, KINDS, ORIGINS, ROLES, type SessionColumns } from "./columns";
import { isMember, NEVER, recordedMembership } from "./membership";
import { pointCount } from "./points";

/** Names of item kinds in lists. */
export const ITEM_WORDS = [
  "overhead",
  "user",
  "assistant",
  "thinking",
  "call",
  "result",
  "failedResult",
  "image",
  "context",
  "summary",
  "system",
] as const;
export type ItemWord = (typeof ITEM_WORDS)[number];

/** Presence of an item with its full text in a request. A cleared item was sent only as a placeholder. */
export const PRESENCES = ["in", "out"] as const;

/** Conditions on items; all of them must hold. */
export interface ItemFilter {
  readonly kind?: ItemWord | undefined;
  /** Tool of a call, and of its result. */
  readonly tool?: string | undefined;
  /** Part of the item's file path, case-insensitive. */
  readonly file?: string | undefined;
  readonly context?: (typeof PRESENCES)[number] | undefined;
  /** Request whose recorded context the condition `context` refers to; the last one if absent. */
  readonly request?: RequestIndex | undefined;
}

/** Name of an item's kind. */
export function itemWord(columns: SessionColumns, item: ItemIndex): ItemWord {
  const kind = KINDS[columns.kind[item] ?? -1];
  const origin = ORIGINS[columns.origin[item] ?? -1];
  if (kind === "overhead" || origin === "overhead") return "overhead";
  if (kind === "tool_call") return "call";
  if (kind === "tool_result") return ((columns.flags[item] ?? 0) & FLAG.ERROR) === 0 ? "result" : "failedResult";
  if (kind === "image") return "image";
  if (origin === "summary") return "summary";
  if (kind === "thinking") return "thinking";
  if (origin === "context") return "context";
  return ROLES[columns.role[item] ?? -1] ?? "context";
}

/** Returns a test that an item meets all conditions. */
export function itemFilter(columns: SessionColumns, filter: ItemFilter): (item: ItemIndex) => boolean {
  const { kind, tool, file, context, request = pointCount(columns) - 1 } = filter;
  const { tools, files } = columns.tables;
  const tests: ((item: ItemIndex) => boolean)[] = [];
  if (kind !== undefined) tests.push((item) => itemWord(columns, item) === kind);
  if (tool !== undefined) tests.push((item) => tools[columns.tool[item] ?? -1] === tool);
  if (file !== undefined) {
    const named = files.map((path) => path.toLowerCase().includes(file.toLowerCase()));
    tests.push((item) => named[columns.file[item] ?? -1] === true);
  }
  if (context !== undefined) {
    const membership = recordedMembership(columns);
    const isIn = (item: ItemIndex) =>
      isMember(membership, item, request) && (membership.cleared[item] ?? NEVER) > request;
    tests.push((item) => isIn(item) === (context === "in"));
  }
  return (item) => tests.every((test) => test(item));
}
