import { diffWordsWithSpace } from "diff";
import { colouredLines, type LinePart } from "./code";
import type { ChangedLine } from "./file-changes";

/** A piece of a line; `changed` if the other side's line lacks it. */
interface Piece {
  readonly text: string;
  readonly changed: boolean;
  /** The classes of its colour as code. */
  readonly colour?: string;
}

export interface Side {
  readonly sign: ChangedLine["sign"];
  readonly pieces: readonly Piece[];
}

/** A row of a difference: before on the left, after on the right. If a line was only added or removed, one side is missing. */
export interface DiffRow {
  readonly before: Side | undefined;
  readonly after: Side | undefined;
}

/** Limits of the comparison word by word: the length of a line, the number of lines in a run, the share in common, and the total compared length. */
const MAX_COMPARED = { chars: 400, lines: 40, words: 50, all: 12_000 };

/** The rows of a diff: removed lines next to the added ones that follow them. */
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

/** The same rows in one column: in every run the removed lines, then the added ones. */
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
  // Lines are paired by position, so words are comparable only if as many were added as removed.
  const isCompared = removed.length === added.length && removed.length <= MAX_COMPARED.lines;
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

/** Compares lines word by word, up to a limit. */
class WordComparison {
  #left = MAX_COMPARED.all;

  pieces(before: string, after: string): readonly [readonly Piece[], readonly Piece[]] {
    const whole = [plain(before), plain(after)] as const;
    const chars = before.length + after.length;
    if (Math.max(before.length, after.length) > MAX_COMPARED.chars || chars > this.#left) return whole;
    this.#left -= chars;
    const parts = diffWordsWithSpace(before, after, { maxEditLength: MAX_COMPARED.words });
    if (parts === undefined) return whole;
    const side = (other: "added" | "removed"): Piece[] =>
      parts
        .filter((part) => !part[other])
        .map(({ value, added, removed }) => ({ text: value, changed: added || removed }));
    return [side("added"), side("removed")];
  }
}

/** The same rows with the colours of code in a language. Each side is coloured as a separate text, since neither holds the lines of the other. */
export function colouredRows(rows: readonly DiffRow[], language: string): readonly DiffRow[] {
  const before = colouredSides(
    rows.map((row) => row.before),
    language,
  );
  const after = colouredSides(
    rows.map((row) => row.after),
    language,
  );
  return rows.map((row) => {
    const side = row.after && after.get(row.after);
    // An unchanged line has one set of colours for both sides.
    return { before: row.before === row.after ? side : row.before && before.get(row.before), after: side };
  });
}

function colouredSides(sides: readonly (Side | undefined)[], language: string): ReadonlyMap<Side, Side> {
  const shown = sides.filter((side) => side !== undefined);
  const lines = colouredLines(
    shown.map(({ pieces }) => pieces.map(({ text }) => text).join("")),
    language,
  );
  return new Map(shown.map((side, at) => [side, { ...side, pieces: colouredPieces(side.pieces, lines?.[at] ?? []) }]));
}

/** Splits the pieces of a line where its colour changes. */
function colouredPieces(pieces: readonly Piece[], parts: readonly LinePart[]): readonly Piece[] {
  if (!parts.some(({ colour }) => colour !== "")) return pieces;
  const result: Piece[] = [];
  let part = 0;
  let used = 0;
  for (const { text, changed } of pieces) {
    for (let from = 0; from < text.length; ) {
      const { text: whole = "", colour = "" } = parts[part] ?? {};
      const length = Math.min(text.length - from, whole.length - used);
      if (length <= 0) return pieces;
      result.push({ text: text.slice(from, from + length), changed, colour });
      from += length;
      used += length;
      if (used === whole.length) {
        part += 1;
        used = 0;
      }
    }
  }
  return result;
}
