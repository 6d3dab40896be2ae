import { diffWordsWithSpace } from "diff";
import type { ChangedLine } from "./file-change";

/** A piece of a line; `changed` where it is not in the line that this one replaces or is replaced by. */
export interface Piece {
  readonly text: string;
  readonly changed: boolean;
}

/** One side of a row. */
export interface Side {
  readonly sign: ChangedLine["sign"];
  readonly pieces: readonly Piece[];
}

/** A row of a difference, before on the left and after on the right; one side is missing where a line was only added or removed. */
export interface DiffRow {
  readonly before: Side | undefined;
  readonly after: Side | undefined;
}

/** Longer lines, and longer runs of them, are not compared word by word. */
const MOST_COMPARED = { chars: 400, lines: 40, words: 120 };

/** The rows of a difference: removed lines beside the added ones that follow them. */
export function diffRows(lines: readonly ChangedLine[]): readonly DiffRow[] {
  const rows: DiffRow[] = [];
  let removed: string[] = [];
  let added: string[] = [];
  const flush = (): void => {
    rows.push(...replaced(removed, added));
    removed = [];
    added = [];
  };
  for (const { sign, text } of lines) {
    if (sign === "-") {
      if (added.length > 0) flush();
      removed.push(text);
    } else if (sign === "+") added.push(text);
    else {
      flush();
      const side = { sign, pieces: [{ text, changed: false }] };
      rows.push({ before: side, after: side });
    }
  }
  flush();
  return rows;
}

/** The same rows one below the other: in every run what was removed, then what was added. */
export function unified(rows: readonly DiffRow[]): readonly Side[] {
  const sides: Side[] = [];
  let added: Side[] = [];
  for (const { before, after } of rows) {
    if (before !== undefined && before === after) {
      sides.push(...added, before);
      added = [];
    } else {
      if (before !== undefined) sides.push(before);
      if (after !== undefined) added.push(after);
    }
  }
  return [...sides, ...added];
}

function replaced(removed: readonly string[], added: readonly string[]): readonly DiffRow[] {
  // Lines stand beside each other by their place, so word by word they only say something where as many come as go.
  const isCompared = removed.length === added.length && removed.length <= MOST_COMPARED.lines;
  return Array.from({ length: Math.max(removed.length, added.length) }, (_, at) => {
    const [before, after] = [removed[at], added[at]];
    const [left, right] = isCompared ? wordPieces(before ?? "", after ?? "") : [plain(before), plain(after)];
    return {
      before: before === undefined ? undefined : { sign: "-", pieces: left },
      after: after === undefined ? undefined : { sign: "+", pieces: right },
    };
  });
}

function plain(text: string | undefined): readonly Piece[] {
  return [{ text: text ?? "", changed: false }];
}

function wordPieces(before: string, after: string): readonly [readonly Piece[], readonly Piece[]] {
  if (before.length > MOST_COMPARED.chars || after.length > MOST_COMPARED.chars) return [plain(before), plain(after)];
  const parts = diffWordsWithSpace(before, after, { maxEditLength: MOST_COMPARED.words });
  if (parts === undefined) return [plain(before), plain(after)];
  const side = (other: "added" | "removed"): Piece[] =>
    parts
      .filter((part) => !part[other])
      .map(({ value, added, removed }) => ({ text: value, changed: added || removed }));
  return [side("added"), side("removed")];
}
