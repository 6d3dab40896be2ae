import type { ItemIndex } from "@/lib/core/base/units";
import { KIND, type SessionColumns } from "@/lib/core/columns/columns";
import { raggedMeasureOf, raggedRow } from "@/lib/core/columns/ragged";
import type { CarriedFile, ContextView, SyntheticItem } from "@/lib/core/compaction/policy/policy";
import { isSourceFile } from "../base/source-file";
import type { ClawdcodeMeasure } from "./measures";
import { messageRows } from "./messages";

/** Tools whose arguments name files, and those that change files; matched case-insensitively, for other agents' recordings. */
const FILE_TOOLS = new Set(["read", "write", "edit", "glob", "grep", "notebookedit"]);
const MODIFYING_TOOLS = new Set(["write", "edit"]);

/** True if the arguments of a call of this tool name files. */
export function namesFiles(tool: string | undefined): boolean {
  return tool !== undefined && FILE_TOOLS.has(tool.toLowerCase());
}

const PATHS: ClawdcodeMeasure = "clawdcode.paths";
/** Numbers of the measure for each mention: the path's code, and its place in the text, `from` and `to`. */
const PATH_FIELDS = 3;
/** Maximum stored position: a measure of a bundle has no larger numbers. */
const LAST_PLACE = 4_000_000;

/** A mention in the measure. A path's code is twice its number, plus 1 if it can be a source file. */
export function mentionFields(number: number, isSource: boolean, from: number, to: number): readonly number[] {
  return [number * 2 + Number(isSource), Math.min(from, LAST_PLACE), Math.min(to, LAST_PLACE)];
}

/**
 * The items of the context that mention a file, oldest first.
 * @param from where the agent looks for paths: it may hold texts alone
 */
export function mentionsOf({ columns, items }: ContextView, from: "texts" | "texts and calls"): readonly ItemIndex[] {
  const { kind, file, tool, tables, length } = columns;
  const paths = raggedMeasureOf(columns.measures, PATHS);
  const counts = tables.tools.map(namesFiles);
  const list = items.list();
  const mentions: ItemIndex[] = [];
  for (let position = 0; position < list.length; position++) {
    const item = list[position] ?? -1;
    if (item >= length) continue;
    const isCall = kind[item] === KIND.tool_call;
    if (isCall && from === "texts") continue;
    const isMention =
      paths === undefined
        ? isCall && (file[item] ?? -1) >= 0 && counts[tool[item] ?? -1] === true
        : (paths.offset[item + 1] ?? 0) > (paths.offset[item] ?? 0);
    if (isMention) mentions.push(item);
  }
  return mentions;
}

/** An item that lists the files mentioned by others. They are sorted only when read: a replay makes many lists, and few are read. */
export function listing(
  item: SyntheticItem,
  columns: SessionColumns,
  mentions: readonly ItemIndex[],
  most: number,
  which: "all" | "source files",
): SyntheticItem {
  return {
    ...item,
    get files() {
      return rankedFiles(columns, mentions, which)
        .slice(0, most)
        .map(({ file }) => file);
    },
  };
}

interface Mentioned {
  file: CarriedFile;
  mentions: number;
  /** The last message that mentions the file, and the last one that mentions it in its content. */
  last: number;
  lastContent: number;
  modified: boolean;
}

/**
 * The mentioned files by importance: changed ones first, then by mentions, then by the last message that mentions each. A message's content counts
 * once for a path, and each of its calls again. Source: README.md, "Files".
 */
function rankedFiles(
  columns: SessionColumns,
  items: readonly ItemIndex[],
  which: "all" | "source files",
): readonly Mentioned[] {
  const { before } = messageRows(columns);
  const files = new Map<number, Mentioned>();
  for (const item of items) {
    const isCall = columns.kind[item] === KIND.tool_call;
    const message = before[item + 1] ?? 0;
    const tool = columns.tables.tools[columns.tool[item] ?? -1]?.toLowerCase() ?? "";
    for (const { number, isSource, file } of pathsOf(columns, item)) {
      if (which === "source files" && !isSource) continue;
      const known = files.get(number) ?? { file, mentions: 0, last: -1, lastContent: -1, modified: false };
      files.set(number, known);
      if (typeof known.file !== "string") known.file = file;
      if (isCall || known.lastContent !== message) known.mentions += 1;
      if (!isCall) known.lastContent = message;
      known.last = message;
      if (isCall && MODIFYING_TOOLS.has(tool)) known.modified = true;
    }
  }
  return [...files.values()].sort(
    (a, b) => Number(b.modified) - Number(a.modified) || b.mentions - a.mentions || b.last - a.last,
  );
}

interface MentionedPath {
  readonly number: number;
  readonly isSource: boolean;
  readonly file: CarriedFile;
}

/** The paths that an item mentions, first the one in the columns. Without the measure, only that one is known. */
function pathsOf(columns: SessionColumns, item: ItemIndex): readonly MentionedPath[] {
  const named = columns.tables.files[columns.file[item] ?? -1];
  const paths = raggedMeasureOf(columns.measures, PATHS);
  if (paths === undefined) {
    if (named === undefined) return [];
    return [{ number: columns.file[item] ?? -1, isSource: isSourceFile(named), file: named }];
  }
  const values = raggedRow(paths, item);
  const isCall = columns.kind[item] === KIND.tool_call;
  return Array.from({ length: values.length / PATH_FIELDS }, (_, index) => {
    const [code = 0, from = 0, to = 0] = values.subarray(index * PATH_FIELDS);
    const file = isCall && index === 0 && named !== undefined ? named : { item, from, to };
    return { number: code >> 1, isSource: (code & 1) === 1, file };
  });
}
