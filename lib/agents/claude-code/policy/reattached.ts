import { lowerBound } from "@/lib/core/base/numbers";
import type { ItemIndex, Share, Tokens } from "@/lib/core/base/units";
import type { ContextView } from "@/lib/core/compaction/policy/policy";
import { REATTACHED_FILES, touchedFiles } from "./touched-files";

/** Limit for a reattached file; of a larger one, only the path comes back. Source: as `REATTACHED_FILES`. */
export const REATTACHED_FILE_TOKENS: Tokens = 5000;

/**
 * Size assumed for the files of a session without any: the median of the rule's results for the ten recorded compactions available in November 2026
 * (README.md, "Compaction").
 */
export const UNKNOWN_FILES_TOKENS: Tokens = 6000;

/** Width of the line numbers of a shown file, including the arrow after them. Source: results of `Read` in recordings. */
export const LINE_NUMBER_CHARS = 7;

/** The program's own rule of thumb, used if the context holds no result to derive a ratio from. */
const TOKENS_PER_CHAR: Share = 1 / 4;

/** Session content that comes back after a compaction. */
export interface Reattached {
  readonly tokens: Tokens;
  /** Paths of the files whose content comes back. */
  readonly files: readonly string[];
}

/**
 * The files, the plan and the todo list that come back after a compaction, with their last recorded sizes; the median of other sessions if there is
 * no file. No record states what else comes back: see `reattachedRest`.
 */
export function reattached(view: ContextView): Reattached {
  const { columns } = view;
  const { rows, recent, plans, todos } = touchedFiles(columns);
  const end = newestRow(view) + 1;
  const touches = lowerBound(rows, end);
  const files = recent
    .subarray((touches - 1) * REATTACHED_FILES, touches * REATTACHED_FILES)
    .filter((touch) => touch >= 0);
  const perChar = tokensPerChar(view);
  const sizeOf = (touch: number) => attachedTokens(view, touch, perChar);
  const whole = Array.from(files).filter((touch) => sizeOf(touch) > 0);
  const plan = plans[lowerBound(plans, touches) - 1];
  const todo = todos[lowerBound(todos, end) - 1];
  const fromFiles = files.length === 0 ? UNKNOWN_FILES_TOKENS : sumOf(whole.map(sizeOf));
  return {
    tokens:
      fromFiles +
      (plan === undefined ? 0 : sizeOf(plan)) +
      (todo === undefined ? 0 : Math.round((columns.chars[todo] ?? 0) * perChar)),
    files: whole.map((touch) => columns.tables.files[columns.file[columns.pair[rows[touch] ?? -1] ?? -1] ?? -1] ?? ""),
  };
}

/** The newest recorded row in the context; −1 if there is none. */
function newestRow({ items, columns }: ContextView): ItemIndex {
  for (let position = items.length - 1; position >= 0; position--) {
    const item = items.at(position);
    if (item < columns.length) return item;
  }
  return -1;
}

/** Tokens of a reattached file after a touch; 0 if its content is too large to come back. */
function attachedTokens({ columns }: ContextView, touch: number, perChar: Share): Tokens {
  const { rows, contents } = touchedFiles(columns);
  const result = rows[touch] ?? -1;
  const chars = columns.measures["claude-code.fileChars"]?.[result] ?? 0;
  const lines = columns.measures["claude-code.fileLines"]?.[result] ?? 0;
  // A file without characters still has one line.
  const shown = chars + lines > 0 ? chars : (contents[touch] ?? 0);
  if (shown * perChar > REATTACHED_FILE_TOKENS) return 0;
  return Math.round((shown + lines * LINE_NUMBER_CHARS) * perChar);
}

/** Tokens for one character of the tool results in the context, by the chosen estimator and its calibration. */
function tokensPerChar(view: ContextView): Share {
  const results = view.items.results();
  let chars = 0;
  let tokens = 0;
  for (let at = 0; at < results.length; at++) {
    const result = results[at] ?? -1;
    if (!view.items.isWhole(result)) continue;
    chars += view.columns.chars[result] ?? 0;
    tokens += view.tokensOf(result);
  }
  return chars > 0 ? tokens / chars : TOKENS_PER_CHAR;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
