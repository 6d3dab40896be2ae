import type { ItemIndex, Tokens } from "../base/units";
import { FLAG, KIND, type RaggedColumn, type SessionColumns } from "../columns/columns";
import { raggedRow } from "../columns/ragged";
import type { RefetchBoundary } from "./boundaries";
import type { RefetchIndex } from "./index-builder";
import type { EditRefetch, PathRefetch } from "./refetch";
import { transposed } from "./transposed";

/** The part of the index that is needed to find sources. */
export type SourceTexts = Pick<RefetchIndex, "lines" | "mentions" | "answers">;

/**
 * The cheapest dropped items that would bring re-fetched content back. Results come first, because a call can repeat them; results that report an
 * error or acknowledge a write are excluded, because they bring nothing back. If no result holds the content, it would have to be written again, and
 * the smallest item that holds it counts; for written text that is the call that wrote it.
 */
export class Sources {
  readonly #gone: Int32Array;
  readonly #rowsOfPath: RaggedColumn;
  readonly #rowsOfLine: RaggedColumn;

  /** @param sizes tokens of every row */
  constructor(
    private readonly columns: SessionColumns,
    private readonly texts: SourceTexts,
    boundaries: readonly RefetchBoundary[],
    private readonly sizes: Int32Array,
  ) {
    this.#gone = new Int32Array(columns.length).fill(-1);
    for (const [boundary, { dropped }] of boundaries.entries()) {
      for (const row of dropped) this.#gone[row] = boundary;
    }
    this.#rowsOfPath = transposed(texts.mentions);
    this.#rowsOfLine = transposed(texts.lines);
  }

  /** The item that would bring a path back. */
  ofPath({ path, boundary }: PathRefetch): ItemIndex {
    return this.#cheapest(raggedRow(this.#rowsOfPath, path), boundary);
  }

  /** The items that would restore the old text of an edit: one item with all its lines, if there is one. */
  ofEdit({ lines, boundary }: EditRefetch): readonly ItemIndex[] {
    const rows = raggedRow(this.#rowsOfLine, lines[0] ?? 0);
    const one = this.#cheapest(rows, boundary, (row) => this.#holdsAll(row, lines));
    if (one >= 0) return [one];
    const parts = Array.from(lines, (line) => this.#cheapest(raggedRow(this.#rowsOfLine, line), boundary));
    return [...new Set(parts)].filter((row) => row >= 0);
  }

  /** Every dropped result that would bring a path back. */
  allOfPath({ path, boundary }: PathRefetch): readonly ItemIndex[] {
    return this.#results(raggedRow(this.#rowsOfPath, path), boundary);
  }

  /** Every dropped result that holds a line of an edit. */
  allOfEdit({ lines, boundary }: EditRefetch): readonly ItemIndex[] {
    return Array.from(lines).flatMap((line) => this.#results(raggedRow(this.#rowsOfLine, line), boundary));
  }

  #results(rows: Int32Array, boundary: number): readonly ItemIndex[] {
    const gone = Array.from(rows).filter((row) => this.#gone[row] === boundary);
    return gone.map((row) => this.#fetched(row, boundary)).filter((row) => this.#isResult(row));
  }

  #holdsAll(row: ItemIndex, lines: Int32Array): boolean {
    const own = raggedRow(this.texts.lines, row);
    return lines.every((line) => own.includes(line));
  }

  /** The cheapest of some rows that a boundary dropped; −1 for none. Of a call and its result, the result counts. */
  #cheapest(rows: Int32Array, boundary: number, fits: (row: ItemIndex) => boolean = () => true): ItemIndex {
    let best = -1;
    for (const row of rows) {
      if (this.#gone[row] !== boundary || !fits(row)) continue;
      const result = this.#fetched(row, boundary);
      const item = this.#answers(result) ? result : row;
      if (best < 0 || this.#isCheaper(item, best)) best = item;
    }
    return best;
  }

  #fetched(row: ItemIndex, boundary: number): ItemIndex {
    const result = this.columns.kind[row] === KIND.tool_call ? (this.columns.pair[row] ?? -1) : -1;
    return result >= 0 && this.#gone[result] === boundary ? result : row;
  }

  #isCheaper(one: ItemIndex, other: ItemIndex): boolean {
    const [answers, answered] = [this.#answers(one), this.#answers(other)];
    return answers === answered ? this.tokensOf(one) < this.tokensOf(other) : answers;
  }

  /** True for a result that its call may bring back. */
  #answers(row: ItemIndex): boolean {
    return this.texts.answers[row] === 1 && ((this.columns.flags[row] ?? 0) & FLAG.ERROR) === 0;
  }

  #isResult(row: ItemIndex): boolean {
    return this.columns.kind[row] === KIND.tool_result;
  }

  tokensOf(row: ItemIndex): Tokens {
    return this.sizes[row] ?? 0;
  }
}
