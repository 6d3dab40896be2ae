import type { Chars, ItemIndex } from "../base/units";
import { KIND, type SessionColumns } from "../columns/columns";
import { raggedRow } from "../columns/ragged";
import type { RefetchBoundary } from "./boundaries";
import type { RefetchIndex } from "./index-builder";
import { isFile } from "./paths";

/** Text of a later result that a boundary had dropped. */
export interface RefetchedText {
  readonly dropped: ItemIndex;
  /** The later result. */
  readonly again: ItemIndex;
  readonly lines: number;
  /** UTF-16 units of these lines, normalised. */
  readonly chars: Chars;
  /** True for the result of a check, which was repeated because something changed, not because content was missing. */
  readonly isCheck: boolean;
  /** True if both calls use one file and neither writes. Lines of other results may be alike by chance: imports, tool replies. */
  readonly isSameFile: boolean;
}

/** Results and lines re-fetched after one compaction. */
export interface RefetchedTexts {
  /** Results of equal calls that are equal again: certainly re-fetched. */
  readonly results: readonly RefetchedText[];
  /** Lines of later results, by the later and the dropped result: their text was paid for twice. */
  readonly lines: readonly RefetchedText[];
}

/**
 * Finds re-fetched content after each compaction of a recording: whole results (N1 of docs/method.md, "Re-fetched content") and lines (N2). Each call
 * and each line counts once after a boundary, at its first occurrence. Linear in the lines.
 */
export function refetchedTexts(
  columns: SessionColumns,
  index: RefetchIndex,
  boundaries: readonly RefetchBoundary[],
): readonly RefetchedTexts[] {
  const lines = new Lines(index.lineChars.length);
  const files = new Files(columns, index);
  const compactions = boundaries.filter(({ kind }) => kind === "compaction");
  return compactions.map((boundary, number) => {
    const after = { from: boundary.from, to: compactions[number + 1]?.from ?? columns.length };
    const carried = new Set(boundary.carried);
    lines.beginBoundary(number + 1);
    for (const row of boundary.dropped) {
      if (isResult(columns, row)) for (const line of raggedRow(index.lines, row)) lines.drop(line, row);
    }
    for (const row of [...boundary.kept, ...boundary.carried]) {
      for (const line of raggedRow(index.lines, row)) lines.markPresent(line);
    }
    const results = equalResults(columns, index, boundary, after, files);
    const refetched: RefetchedText[] = [];
    for (let row = after.from; row < after.to; row++) {
      if (!isResult(columns, row) || carried.has(row)) continue;
      refetched.push(...refetchedLines(index, row, lines, files));
    }
    return { results, lines: refetched };
  });
}

function isResult(columns: SessionColumns, row: ItemIndex): boolean {
  return columns.kind[row] === KIND.tool_result;
}

/** By line, the result from which the current boundary dropped it. */
class Lines {
  readonly #source: Int32Array;
  readonly #boundary: Int32Array;
  #number = 0;

  constructor(length: number) {
    this.#source = new Int32Array(length);
    this.#boundary = new Int32Array(length);
  }

  beginBoundary(number: number): void {
    this.#number = number;
  }

  drop(line: number, row: ItemIndex): void {
    if (this.#boundary[line] === this.#number) return;
    this.#boundary[line] = this.#number;
    this.#source[line] = row;
  }

  /** Marks a line as present in the context, because it was kept or came back. */
  markPresent(line: number): void {
    this.#boundary[line] = 0;
  }

  /** The dropped result that held a line missing from the context; −1 for none. */
  missing(line: number): ItemIndex {
    return this.#boundary[line] === this.#number ? (this.#source[line] ?? -1) : -1;
  }
}

/** Files that the calls of results read. */
class Files {
  constructor(
    private readonly columns: SessionColumns,
    private readonly index: RefetchIndex,
  ) {}

  /** True if the calls of two results use one file and neither writes. */
  areSame(result: ItemIndex, other: ItemIndex): boolean {
    const files = this.#read(result);
    return files.length > 0 && this.#read(other).some((file) => files.includes(file));
  }

  #read(result: ItemIndex): readonly number[] {
    const call = this.columns.pair[result] ?? -1;
    const { uses, writes, paths } = this.index;
    if (call < 0 || writes[call] === 1) return [];
    return Array.from(raggedRow(uses, call)).filter((path) => isFile(paths[path] ?? ""));
  }
}

/** The missing lines of a result, by the dropped result that held them. Marks them as present. */
function refetchedLines(index: RefetchIndex, row: ItemIndex, lines: Lines, files: Files): readonly RefetchedText[] {
  const found = new Map<ItemIndex, { lines: number; chars: Chars }>();
  for (const line of raggedRow(index.lines, row)) {
    const source = lines.missing(line);
    if (source < 0) continue;
    const sum = found.get(source) ?? { lines: 0, chars: 0 };
    found.set(source, { lines: sum.lines + 1, chars: sum.chars + (index.lineChars[line] ?? 0) });
    lines.markPresent(line);
  }
  const isCheck = index.check[row] === 1;
  return Array.from(found, ([dropped, sum]) => {
    return { dropped, again: row, ...sum, isCheck, isSameFile: files.areSame(row, dropped) };
  });
}

/** The later results that equal a dropped result of an equal call, if no kept result of that call equals them. */
function equalResults(
  columns: SessionColumns,
  index: RefetchIndex,
  boundary: RefetchBoundary,
  { from, to }: { readonly from: ItemIndex; readonly to: ItemIndex },
  files: Files,
): readonly RefetchedText[] {
  const keyOf = (row: ItemIndex) => {
    const lines = raggedRow(index.lines, row);
    return lines.length === 0 ? undefined : `${index.source[row]}:${lines.join()}`;
  };
  const sources = new Set<number>();
  for (let row = from; row < to; row++) {
    if (isResult(columns, row)) sources.add(index.source[row] ?? -1);
  }
  const dropped = new Map<string, ItemIndex>();
  for (const row of boundary.dropped) {
    if (!isResult(columns, row) || !sources.has(index.source[row] ?? -1)) continue;
    const key = keyOf(row);
    if (key !== undefined) dropped.set(key, row);
  }
  const carried = new Set(boundary.carried);
  for (const row of [...boundary.kept, ...boundary.carried]) {
    const key = isResult(columns, row) ? keyOf(row) : undefined;
    if (key !== undefined) dropped.delete(key);
  }
  const counted = new Set<number>();
  const found: RefetchedText[] = [];
  for (let row = from; row < to && dropped.size > 0; row++) {
    const source = index.source[row] ?? -1;
    if (!isResult(columns, row) || carried.has(row) || counted.has(source)) continue;
    const key = keyOf(row);
    const earlier = key === undefined ? undefined : dropped.get(key);
    if (earlier === undefined) continue;
    counted.add(source);
    const lines = raggedRow(index.lines, row);
    const chars = lines.reduce((sum, line) => sum + (index.lineChars[line] ?? 0), 0);
    const isSameFile = files.areSame(row, earlier);
    found.push({
      dropped: earlier,
      again: row,
      lines: lines.length,
      chars,
      isCheck: index.check[row] === 1,
      isSameFile,
    });
  }
  return found;
}
