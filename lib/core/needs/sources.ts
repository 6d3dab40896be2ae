import type { ItemIndex, Tokens } from "../base/units";
import { KIND, type RaggedColumn, type SessionColumns } from "../columns/columns";
import { raggedRow } from "../columns/ragged";
import type { NeedBoundary } from "./boundaries";
import type { EditNeed, PathNeed, UsedTexts } from "./needs";
import { transposed } from "./transposed";

/**
 * The cheapest dropped items that would bring back what was needed again. A result can be had again by its call, so results come first; where none holds
 * it, somebody would have to say it again, and the smallest item that says it counts.
 */
export class Sources {
  readonly #gone: Int32Array;
  readonly #rowsOfPath: RaggedColumn;
  readonly #rowsOfLine: RaggedColumn;

  /** @param sizes tokens of every row */
  constructor(
    private readonly columns: SessionColumns,
    private readonly texts: UsedTexts,
    boundaries: readonly NeedBoundary[],
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
  ofPath({ path, boundary }: PathNeed): ItemIndex {
    return this.#cheapest(raggedRow(this.#rowsOfPath, path), boundary);
  }

  /** The items that would bring the old text of an edit back: one with all its lines, where there is one. */
  ofEdit({ lines, boundary }: EditNeed): readonly ItemIndex[] {
    const rows = raggedRow(this.#rowsOfLine, lines[0] ?? 0);
    const one = this.#cheapest(rows, boundary, (row) => this.#holdsAll(row, lines));
    if (one >= 0) return [one];
    const parts = Array.from(lines, (line) => this.#cheapest(raggedRow(this.#rowsOfLine, line), boundary));
    return [...new Set(parts)].filter((row) => row >= 0);
  }

  /** Every dropped result that would bring a path back. */
  allOfPath({ path, boundary }: PathNeed): readonly ItemIndex[] {
    return this.#results(raggedRow(this.#rowsOfPath, path), boundary);
  }

  /** Every dropped result that holds a line of an edit. */
  allOfEdit({ lines, boundary }: EditNeed): readonly ItemIndex[] {
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

  /** The cheapest of some rows that a boundary dropped; −1 for none. A call stands for its result, which came out with it. */
  #cheapest(rows: Int32Array, boundary: number, fits: (row: ItemIndex) => boolean = () => true): ItemIndex {
    let best = -1;
    for (const row of rows) {
      if (this.#gone[row] !== boundary || !fits(row)) continue;
      const fetched = this.#fetched(row, boundary);
      if (best < 0 || this.#isCheaper(fetched, best)) best = fetched;
    }
    return best;
  }

  #fetched(row: ItemIndex, boundary: number): ItemIndex {
    const result = this.columns.kind[row] === KIND.tool_call ? (this.columns.pair[row] ?? -1) : -1;
    return result >= 0 && this.#gone[result] === boundary ? result : row;
  }

  #isCheaper(one: ItemIndex, other: ItemIndex): boolean {
    const [isResult, wasResult] = [this.#isResult(one), this.#isResult(other)];
    return isResult === wasResult ? this.tokensOf(one) < this.tokensOf(other) : isResult;
  }

  #isResult(row: ItemIndex): boolean {
    return this.columns.kind[row] === KIND.tool_result;
  }

  tokensOf(row: ItemIndex): Tokens {
    return this.sizes[row] ?? 0;
  }
}
