import type { Chars, ItemIndex } from "@/lib/core/base/units";
import type { ContextView } from "@/lib/core/compaction/policy";
import type { Range } from "./unit-sums";

/**
 * Chars of the sections that 2026.2.1 adds to every summary, and to the note that replaces one: failed tool calls, and files that were read and
 * changed. Over numbers; the same rules as `tool-failures.ts` and `file-operations.ts`. Source: README.md, "Summaries".
 */
const MOST_FAILURES = 8;

export function sectionChars(view: ContextView, range: Range): Chars {
  return failuresChars(view, range) + filesChars(view, range);
}

/** The first results of failed calls, at most eight, and the number of the others. */
function failuresChars({ items, columns }: ContextView, { from, to }: Range): Chars {
  const measured = columns.measures["openclaw.failureChars"];
  if (measured === undefined) return 0;
  const calls = new Set<ItemIndex>();
  const lines: Chars[] = [];
  for (let position = from; position < to; position++) {
    const item = items.at(position);
    const chars = measured[item] ?? 0;
    if (chars === 0) continue;
    const call = columns.pair[item] ?? -1;
    if (calls.has(call)) continue;
    if (call >= 0) calls.add(call);
    lines.push(chars);
  }
  if (lines.length === 0) return 0;
  const more = lines.length - MOST_FAILURES;
  const shown = more > 0 ? [...lines.slice(0, MOST_FAILURES), `- ...and ${more} more`.length] : lines;
  return "\n\n## Tool Failures".length + listChars(shown);
}

/** Counts every file once: among the changed files, or among those that were only read. */
function filesChars({ items, columns }: ContextView, { from, to }: Range): Chars {
  const measured = columns.measures["openclaw.fileChars"];
  if (measured === undefined) return 0;
  const [read, changed] = [new Map<number, Chars>(), new Map<number, Chars>()];
  for (let position = from; position < to; position++) {
    const item = items.at(position);
    const chars = measured[item] ?? 0;
    if (chars === 0) continue;
    const file = columns.file[item] ?? -1;
    (chars > 0 ? read : changed).set(file >= 0 ? file : -1 - item, Math.abs(chars));
  }
  for (const file of changed.keys()) read.delete(file);
  return sectionOf("read-files", read) + sectionOf("modified-files", changed);
}

function sectionOf(tag: string, files: ReadonlyMap<number, Chars>): Chars {
  return files.size === 0 ? 0 : `\n\n<${tag}>\n</${tag}>`.length + listChars([...files.values()]);
}

/** Lines, each with the line break before it. */
function listChars(lines: readonly Chars[]): Chars {
  return lines.reduce((sum, chars) => sum + chars + 1, 0);
}
