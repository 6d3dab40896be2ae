import { lowerBound } from "@/lib/core/base/lower-bound";
import type { ItemIndex, Share, Tokens } from "@/lib/core/base/units";
import { FLAG, KIND, type SessionColumns } from "@/lib/core/columns/columns";
import type { ContextView } from "@/lib/core/compaction/policy";

/**
 * How many files come back after a compaction: of those that were read or edited, the ones touched last. Source:
 * code.claude.com/docs/en/context-window, "What survives compaction", as it stood in September 2026.
 */
export const REATTACHED_FILES = 5;

/** Of a larger file only the path comes back. Source: as `REATTACHED_FILES`. */
export const REATTACHED_FILE_TOKENS: Tokens = 5000;

/**
 * Size that is assumed for the files where the session has none: the median of what the rule gives for the ten recorded compactions that were
 * available in November 2026 (README.md, "Compaction").
 */
export const UNKNOWN_FILES_TOKENS: Tokens = 6000;

/** Width of the line numbers of a shown file, including the arrow after them. Source: results of `Read` in recordings. */
export const LINE_NUMBER_CHARS = 7;

/** The program's own rule of thumb, where the context holds no result to measure by. */
const TOKENS_PER_CHAR: Share = 1 / 4;

const FILE_TOOLS = new Set(["read", "write", "edit", "multiedit", "notebookedit"]);
const TODO_TOOL = "todowrite";
/** Where plan mode writes the plan, which comes back besides the files. */
const PLAN = /[\\/]\.claude[\\/]plans[\\/][^\\/]+\.md$/;

/** What comes back of what the session had. */
export interface Reattached {
  readonly tokens: Tokens;
  /** Paths of the files whose content comes back. */
  readonly files: readonly string[];
}

/**
 * The files, the plan and the todo list that come back after a compaction, with the sizes that the recording last shows; the median of other
 * sessions where there is no file. No record tells what else comes back: see `reattachedRest`.
 */
export function reattached(view: ContextView): Reattached {
  const { columns } = view;
  const { touches, todos } = attachable(columns);
  const end = newestRow(view) + 1;
  const perChar = tokensPerChar(view);
  const latest = latestTouches(columns, touches.subarray(0, lowerBound(touches, end)));
  const isPlan = (file: number) => PLAN.test(columns.tables.files[file] ?? "");
  const files = [...latest.keys()].filter((file) => !isPlan(file)).slice(0, REATTACHED_FILES);
  const sizeOf = (file: number) => attachedTokens(columns, latest.get(file) ?? [], perChar);
  const whole = files.filter((file) => sizeOf(file) > 0);
  const plan = [...latest.keys()].find(isPlan);
  const todo = todos[lowerBound(todos, end) - 1];
  const fromFiles = files.length === 0 ? UNKNOWN_FILES_TOKENS : sumOf(whole.map(sizeOf));
  return {
    tokens:
      fromFiles +
      (plan === undefined ? 0 : sizeOf(plan)) +
      (todo === undefined ? 0 : Math.round((columns.chars[todo] ?? 0) * perChar)),
    files: whole.map((file) => columns.tables.files[file] ?? ""),
  };
}

/** Results of calls that read, wrote or edited a file, and calls that wrote the todo list, each in order. */
interface Attachable {
  readonly touches: Int32Array;
  readonly todos: Int32Array;
}

const cache = new WeakMap<SessionColumns["requests"], Attachable>();

function attachable(columns: SessionColumns): Attachable {
  const known = cache.get(columns.requests);
  if (known !== undefined) return known;
  const calls = answeredCalls(columns);
  const isOf = (call: ItemIndex, tools: ReadonlySet<string>) =>
    tools.has(columns.tables.tools[columns.tool[call] ?? -1]?.toLowerCase() ?? "");
  const touched = calls.filter((call) => (columns.file[call] ?? -1) >= 0 && isOf(call, FILE_TOOLS));
  const found = {
    touches: Int32Array.from(touched, (call) => columns.pair[call] ?? -1).sort(),
    todos: Int32Array.from(calls.filter((call) => isOf(call, new Set([TODO_TOOL])))),
  };
  cache.set(columns.requests, found);
  return found;
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

/** The newest row of the recording in the context; −1 where there is none. */
function newestRow({ items, columns }: ContextView): ItemIndex {
  for (let position = items.length - 1; position >= 0; position--) {
    const item = items.at(position);
    if (item < columns.length) return item;
  }
  return -1;
}

/** For every file, the rows that touched it, newest first; the file touched last comes first. */
function latestTouches(columns: SessionColumns, touches: Int32Array): ReadonlyMap<number, readonly ItemIndex[]> {
  const byFile = new Map<number, ItemIndex[]>();
  for (const result of touches.toReversed()) {
    const file = columns.file[columns.pair[result] ?? -1] ?? -1;
    const known = byFile.get(file);
    if (known === undefined) byFile.set(file, [result]);
    else known.push(result);
  }
  return byFile;
}

/** Tokens of a file that comes back; 0 where its content is too large to come back. @param touches newest first */
function attachedTokens(columns: SessionColumns, touches: readonly ItemIndex[], perChar: Share): Tokens {
  const [newest = -1] = touches;
  const chars = columns.measures["claude-code.fileChars"]?.[newest] ?? 0;
  const lines = columns.measures["claude-code.fileLines"]?.[newest] ?? 0;
  // A file without characters still has a line.
  const shown = chars + lines > 0 ? chars : contentChars(columns, touches);
  if (shown * perChar > REATTACHED_FILE_TOKENS) return 0;
  return Math.round((shown + lines * LINE_NUMBER_CHARS) * perChar);
}

/** Characters of a file whose size no record tells: what was last read from it, or written to it whole. */
function contentChars(columns: SessionColumns, touches: readonly ItemIndex[]): number {
  const { chars, pair, tool, tables } = columns;
  for (const result of touches) {
    const call = pair[result] ?? -1;
    const name = tables.tools[tool[call] ?? -1]?.toLowerCase();
    if (name === "read") return chars[result] ?? 0;
    if (name === "write") return chars[call] ?? 0;
  }
  return 0;
}

/** Tokens for one character of the tool results in the context, by the chosen estimator and its calibration. */
function tokensPerChar(view: ContextView): Share {
  let chars = 0;
  let tokens = 0;
  for (const result of view.items.results()) {
    if (!view.items.isWhole(result)) continue;
    chars += view.columns.chars[result] ?? 0;
    tokens += view.tokensOf(result);
  }
  return chars > 0 ? tokens / chars : TOKENS_PER_CHAR;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
