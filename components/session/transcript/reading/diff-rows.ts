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

/** Longer lines, longer runs of them, and lines that have less in common are not compared word by word, and neither is what follows once so much was compared. */
const MOST_COMPARED = { chars: 400, lines: 40, words: 50, all: 12_000 };

/** The rows of a difference: removed lines beside the added ones that follow them. */
export function diffRows(lines: readonly ChangedLine[]): readonly DiffRow[] {
  const rows: DiffRow[] = [];
  const comparison = new WordComparison();
  let removed: string[] = [];
  let added: string[] = [];
  const flush = (): void => {
    rows.push(...replaced(removed, added, comparison));
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

function replaced(
  removed: readonly string[],
  added: readonly string[],
  comparison: WordComparison,
): readonly DiffRow[] {
  // Lines stand beside each other by their place, so word by word they only say something where as many come as go.
  const isCompared = removed.length === added.length && removed.length <= MOST_COMPARED.lines;
  return Array.from({ length: Math.max(removed.length, added.length) }, (_, at) => {
    const [before, after] = [removed[at], added[at]];
    const [left, right] = isCompared ? comparison.pieces(before ?? "", after ?? "") : [plain(before), plain(after)];
    return {
      before: before === undefined ? undefined : { sign: "-", pieces: left },
      after: after === undefined ? undefined : { sign: "+", pieces: right },
    };
  });
}

function plain(text: string | undefined): readonly Piece[] {
  return [{ text: text ?? "", changed: false }];
}

/** Compares lines word by word, as long as there are not too many. */
class WordComparison {
  #left = MOST_COMPARED.all;

  pieces(before: string, after: string): readonly [readonly Piece[], readonly Piece[]] {
    const whole = [plain(before), plain(after)] as const;
    const chars = before.length + after.length;
    if (Math.max(before.length, after.length) > MOST_COMPARED.chars || chars > this.#left) return whole;
    this.#left -= chars;
    const parts = diffWordsWithSpace(before, after, { maxEditLength: MOST_COMPARED.words });
    if (parts === undefined) return whole;
    const side = (other: "added" | "removed"): Piece[] =>
      parts
        .filter((part) => !part[other])
        .map(({ value, added, removed }) => ({ text: value, changed: added || removed }));
    return [side("added"), side("removed")];
  }
}
