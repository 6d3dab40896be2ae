import type { Chars, ItemIndex } from "@/lib/core/base/units";
import type { SessionColumns } from "@/lib/core/columns/columns";
import type { ContextView } from "@/lib/core/compaction/policy";
import { NO_HISTORY, TURN_CONTEXT } from "../constants";
import { type Range, splitTurnStart } from "./cut";
import type { Release } from "./release";

/**
 * The summary that pi makes of an empty answer, over numbers: the words around a turn that the cut splits, and the lists of files. The rules are
 * those of `summaryText` and `files.ts`, but the files of calls that a script made from within another call are not known here. Source:
 * README.md, "Compaction".
 */
export interface EmptySummary {
  readonly chars: Chars;
  /** UTF-16 units of the paths that its lists hold or have held, by file. */
  readonly read: Files;
  readonly changed: Files;
}

type Files = ReadonlyMap<number, Chars>;

/**
 * @param range what the compaction looks at
 * @param cut position from which it keeps everything
 */
export function emptySummary(
  view: ContextView,
  range: Range,
  cut: number,
  { turns, carriesSummary }: Release,
  previous: EmptySummary | undefined,
): EmptySummary {
  const turn = splitTurnStart(view, range, cut, turns);
  const hasPrefix = turn >= 0 && turn < cut;
  const read = new Map(previous?.read);
  const changed = new Map(previous?.changed);
  addFiles(view, { from: range.from, to: cut }, read, changed);
  const carriedChars = (carriesSummary ? previous?.chars : undefined) ?? NO_HISTORY.length;
  // Where only the beginning of a turn is summarised, the model is not asked to summarise the history.
  const before = hasPrefix && turn === range.from ? carriedChars : 0;
  return { chars: before + (hasPrefix ? TURN_CONTEXT.length : 0) + listChars(read, changed), read, changed };
}

function addFiles(
  { items, columns }: ContextView,
  { from, to }: Range,
  read: Map<number, Chars>,
  changed: Map<number, Chars>,
): void {
  for (let position = from; position < to; position++) {
    const item = items.at(position);
    const chars = columns.measures["pi.fileChars"]?.[item] ?? 0;
    if (chars !== 0) (chars > 0 ? read : changed).set(fileOf(columns, item), Math.abs(chars));
  }
}

/** A file of which only the name's length is known counts as a file of its own. */
function fileOf({ file }: SessionColumns, item: ItemIndex): number {
  const known = file[item] ?? -1;
  return known >= 0 ? known : -1 - item;
}

/** Counts every file once: a changed file is not listed among those that were read. */
function listChars(read: Files, changed: Files): Chars {
  const only = [...read].filter(([file]) => !changed.has(file)).map(([, chars]) => chars);
  return sectionChars("read-files", only) + sectionChars("modified-files", [...changed.values()]);
}

function sectionChars(tag: string, lines: readonly Chars[]): Chars {
  return lines.reduce((sum, chars) => sum + chars + 1, lines.length === 0 ? 0 : `\n\n<${tag}>\n</${tag}>`.length);
}
