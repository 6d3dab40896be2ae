import type { ItemIndex } from "@/lib/core/base/units";
import { KIND, type SessionColumns } from "@/lib/core/columns/columns";
import type { ContextView, SyntheticItem } from "@/lib/core/compaction/policy";

/** Tools whose files are looked at, and those that change files; in other agents' recordings in any case. */
const FILE_TOOLS = new Set(["read", "write", "edit", "glob", "grep", "notebookedit"]);
const MODIFYING_TOOLS = new Set(["write", "edit"]);

/** The calls of the context that name a file, oldest first. Files that texts mention are not known here. */
export function mentionsOf({ columns, items }: ContextView): readonly ItemIndex[] {
  const { kind, file, tool, tables, length } = columns;
  const counts = tables.tools.map((name) => FILE_TOOLS.has(name.toLowerCase()));
  const list = items.list();
  const calls: ItemIndex[] = [];
  for (let position = 0; position < list.length; position++) {
    const item = list[position] ?? -1;
    if (item >= length || kind[item] !== KIND.tool_call || (file[item] ?? -1) < 0) continue;
    if (counts[tool[item] ?? -1] === true) calls.push(item);
  }
  return calls;
}

/** An item that lists the files of calls. They are sorted only when they are read: a replay makes many lists, and few are looked at. */
export function listing(
  item: SyntheticItem,
  columns: SessionColumns,
  calls: readonly ItemIndex[],
  most: number,
  counts?: (path: string) => boolean,
): SyntheticItem {
  return {
    ...item,
    get files() {
      return filesOf(columns, calls, most, counts);
    },
  };
}

/**
 * Files of calls: changed ones first, then by mentions, then by the last message that names each. @param counts which paths count; all where
 * absent
 */
function filesOf(
  columns: SessionColumns,
  calls: readonly ItemIndex[],
  most: number,
  counts?: (path: string) => boolean,
): readonly string[] {
  const files = new Map<number, { path: string; mentions: number; last: number; modified: boolean }>();
  for (const item of calls) {
    const file = columns.file[item] ?? -1;
    const path = columns.tables.files[file] ?? "";
    if (counts?.(path) === false) continue;
    const tool = columns.tables.tools[columns.tool[item] ?? -1]?.toLowerCase() ?? "";
    const known = files.get(file);
    const modified = MODIFYING_TOOLS.has(tool) || known?.modified === true;
    files.set(file, { path, mentions: (known?.mentions ?? 0) + 1, last: columns.message[item] ?? -1, modified });
  }
  return [...files.values()]
    .sort((a, b) => Number(b.modified) - Number(a.modified) || b.mentions - a.mentions || b.last - a.last)
    .slice(0, most)
    .map(({ path }) => path);
}
