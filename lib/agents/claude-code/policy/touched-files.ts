import type { Chars, ItemIndex } from "@/lib/core/base/units";
import { FLAG, KIND, type SessionColumns } from "@/lib/core/columns/columns";

const FILE_TOOLS = new Set(["read", "write", "edit", "multiedit", "notebookedit"]);
const TODO_TOOLS = new Set(["todowrite"]);
/** Plan file of plan mode, which comes back in addition to the files. */
const PLAN = /[\\/]\.claude[\\/]plans[\\/][^\\/]+\.md$/;

/**
 * Number of files that come back after a compaction: the most recently read or edited ones. Source: code.claude.com/docs/en/context-window, "What
 * survives compaction", in September 2026.
 */
export const REATTACHED_FILES = 5;

/**
 * File accesses of a recording's calls, found once, so that a compaction late in a recording costs no more than an early one. A touch is a call that
 * read, wrote or edited a file and was answered without an error; touches are identified by their index.
 */
interface TouchedFiles {
  /** The row of each touch's result, ascending. */
  readonly rows: Int32Array;
  /**
   * After each touch, the latest touches of the `REATTACHED_FILES` most recently touched files, newest first; −1 if there are fewer. Plans are
   * excluded.
   */
  readonly recent: Int32Array;
  /** By touch, the characters last read from its file, or written as its whole content; 0 if that never happened. */
  readonly contents: Int32Array;
  /** The touches of plans, ascending. */
  readonly plans: Int32Array;
  /** Rows of the calls that wrote the todo list, ascending. */
  readonly todos: Int32Array;
}

const cache = new WeakMap<SessionColumns["requests"], TouchedFiles>();

/** The touches of a recording, cached for each session. */
export function touchedFiles(columns: SessionColumns): TouchedFiles {
  const known = cache.get(columns.requests);
  if (known !== undefined) return known;
  const calls = answeredCalls(columns);
  const touched = calls.filter((call) => (columns.file[call] ?? -1) >= 0 && isOf(columns, call, FILE_TOOLS));
  const rows = Int32Array.from(touched, (call) => columns.pair[call] ?? -1).sort();
  const found = {
    rows,
    ...touchesOf(columns, rows),
    todos: Int32Array.from(calls.filter((call) => isOf(columns, call, TODO_TOOLS))),
  };
  cache.set(columns.requests, found);
  return found;
}

function isOf({ tool, tables }: SessionColumns, call: ItemIndex, tools: ReadonlySet<string>): boolean {
  return tools.has(tables.tools[tool[call] ?? -1]?.toLowerCase() ?? "");
}

/** Calls that were answered without an error. */
function answeredCalls({ kind, pair, flags, length, overheadRows }: SessionColumns): readonly ItemIndex[] {
  const calls: ItemIndex[] = [];
  for (let row = overheadRows; row < length; row++) {
    const result = kind[row] === KIND.tool_call ? (pair[row] ?? -1) : -1;
    if (result >= 0 && ((flags[result] ?? 0) & FLAG.ERROR) === 0) calls.push(row);
  }
  return calls;
}

function touchesOf(columns: SessionColumns, rows: Int32Array): Pick<TouchedFiles, "recent" | "contents" | "plans"> {
  const recent = new Int32Array(REATTACHED_FILES * rows.length);
  const contents = new Int32Array(rows.length);
  const plans: number[] = [];
  const isPlan = columns.tables.files.map((name) => PLAN.test(name));
  const fileOf = (touch: number) => columns.file[columns.pair[rows[touch] ?? -1] ?? -1] ?? -1;
  const contentByFile = new Map<number, Chars>();
  let newest: readonly number[] = [];
  rows.forEach((row, touch) => {
    const file = fileOf(touch);
    contents[touch] = contentAfter(columns, row) ?? contentByFile.get(file) ?? 0;
    contentByFile.set(file, contents[touch] ?? 0);
    if (isPlan[file] === true) plans.push(touch);
    else newest = [touch, ...newest.filter((earlier) => fileOf(earlier) !== file)].slice(0, REATTACHED_FILES);
    recent.fill(-1, touch * REATTACHED_FILES, (touch + 1) * REATTACHED_FILES);
    recent.set(newest, touch * REATTACHED_FILES);
  });
  return { recent, contents, plans: Int32Array.from(plans) };
}

/** Characters of the whole file, from a result or its call; absent if they hold only a part. */
function contentAfter({ chars, pair, tool, tables }: SessionColumns, result: ItemIndex): Chars | undefined {
  const call = pair[result] ?? -1;
  const name = tables.tools[tool[call] ?? -1]?.toLowerCase();
  if (name === "read") return chars[result] ?? 0;
  return name === "write" ? (chars[call] ?? 0) : undefined;
}
