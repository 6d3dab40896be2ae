import { ITEM_CATEGORIES } from "../base/categories";
import { serversOf } from "../base/mcp-server";
import type { ItemIndex } from "../base/units";
import { KIND, type SessionColumns } from "../columns/columns";

/** The ways to group the context's items. */
export const GROUPINGS = ["tool", "server", "file", "message", "turn"] as const;
export type Grouping = (typeof GROUPINGS)[number];

/**
 * Kind of a contributor. `index` points into `tables.tools`, the servers of `serversOf` (−1: the agent's own tools), `tables.files`, messages, turns
 * (−1: before the first) or category codes. Items without a group in the grouping are grouped by category. `unattributed` is the part of the context
 * that no item accounts for.
 */
export type ContributorKind = Grouping | "category" | "unattributed";

/** Numbers every group from 0. An item without a group of its own belongs to the group of its category. */
export interface GroupCodes {
  readonly size: number;
  codeOf(item: ItemIndex, category: number): number;
  kindOf(code: number): ContributorKind;
  indexOf(code: number): number;
}

/** The groups of a session under a grouping. */
export function groupCodes(columns: SessionColumns, grouping: Grouping): GroupCodes {
  const { first, count, codes } = ownGroups(columns, grouping);
  return {
    size: count + ITEM_CATEGORIES.length,
    codeOf: (item, category) => {
      const own = item < columns.length ? codes(item) : undefined;
      return own === undefined ? count + category : own - first;
    },
    kindOf: (code) => (code < count ? grouping : "category"),
    indexOf: (code) => (code < count ? code + first : code - count),
  };
}

interface OwnGroups {
  /** Index of the first group. */
  readonly first: number;
  readonly count: number;
  /** Index of an item's group; `undefined` if it has none. */
  readonly codes: (row: ItemIndex) => number | undefined;
}

function ownGroups(columns: SessionColumns, grouping: Grouping): OwnGroups {
  const { tool, file, message, turn, kind, tables } = columns;
  switch (grouping) {
    case "tool":
      return { first: 0, count: tables.tools.length, codes: (row) => known(tool[row]) };
    case "file":
      return { first: 0, count: tables.files.length, codes: (row) => known(file[row]) };
    case "server": {
      const { names, ofTool } = serversOf(tables.tools);
      const codes = (row: ItemIndex) => (known(tool[row]) === undefined ? undefined : ofTool[tool[row] ?? -1]);
      return { first: -1, count: names.length + 1, codes };
    }
    case "message":
      return { first: 0, count: (message[columns.length - 1] ?? -1) + 1, codes: (row) => known(message[row]) };
    case "turn": {
      const codes = (row: ItemIndex) => (kind[row] === KIND.overhead ? undefined : turn[row]);
      return { first: -1, count: (turn[columns.length - 1] ?? -1) + 2, codes };
    }
  }
}

function known(index: number | undefined): number | undefined {
  return index === undefined || index < 0 ? undefined : index;
}
