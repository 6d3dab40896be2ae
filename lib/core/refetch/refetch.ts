import type { ItemIndex } from "../base/units";
import { KIND, ORIGIN, type RaggedColumn, type SessionColumns } from "../columns/columns";
import { isRecordedOnly, type RefetchBoundary } from "./boundaries";
import { editsOf } from "./edits";
import type { RefetchIndex } from "./index-builder";
import { valueCount } from "./transposed";

/**
 * Origin of a path that a boundary dropped and a call uses again: the summary or a carried item names it, a later result or message names it first,
 * or nothing in the file explains it.
 */
export const REFETCH_ORIGINS = ["carried", "foundAgain", "unexplained"] as const;
export type RefetchOrigin = (typeof REFETCH_ORIGINS)[number];

/** A path that was used again after every mention of it had been dropped (N3 of docs/method.md, "Re-fetched content"). */
export interface PathRefetch {
  /** The boundary that dropped the last mention, as its index in the list. */
  readonly boundary: number;
  /** The call that uses it. */
  readonly needed: ItemIndex;
  readonly path: number;
  readonly origin: RefetchOrigin;
}

/** An edit whose old text was in dropped items alone (N4). */
export interface EditRefetch extends Pick<PathRefetch, "boundary" | "needed"> {
  readonly lines: Int32Array;
}

/** Re-fetches in the order of the file. */
interface Refetches {
  readonly paths: readonly PathRefetch[];
  readonly edits: readonly EditRefetch[];
}

/** The part of the index that the rules for paths and edits read. */
export type UsedTexts = Pick<RefetchIndex, "lines" | "mentions" | "uses" | "edits">;

/**
 * Finds re-fetches by the paths that later calls use and the texts that they replace.
 *
 * Example of a session with one compaction:
 *
 *   1  read  /app/cart.ts                          its text enters the context
 *   2  -- compaction --                            message 1 is dropped; the summary names no file
 *   3  edit  /app/cart.ts  "total = sumOf(items)"   a re-fetch of the path (N3) and of the edit's old text (N4)
 *   4  edit  /app/cart.ts  "total = sumOf(cart)"    no second one: each path counts once after a boundary
 *
 * Had the compaction kept message 1, line 3 would not count. Had a read of the file come between 2 and 3, that read would have used the path first,
 * and the old text would be present again for the edit.
 *
 * Each path and each edit counts once after a boundary, at its first use, up to the next compaction. Linear in the names of the items, whatever the
 * number of boundaries.
 * @param boundaries in the order of the file
 * @param isRecording true for recorded boundaries: then the items that they put back count as present
 */
export function refetchesIn(
  columns: SessionColumns,
  index: UsedTexts,
  boundaries: readonly RefetchBoundary[],
  isRecording: boolean,
): Refetches {
  if (boundaries.length === 0) return { paths: [], edits: [] };
  const walk = new Walk(columns, index, isRecording);
  let row = columns.overheadRows;
  for (const [number, boundary] of boundaries.entries()) {
    for (; row < boundary.from; row++) walk.next(row);
    walk.leave(boundary, number + 1);
  }
  for (; row < columns.length; row++) walk.next(row);
  return walk.found;
}

/** Walks the rows of a session once and tracks which texts are in the context. */
class Walk {
  readonly found: { readonly paths: PathRefetch[]; readonly edits: EditRefetch[] } = { paths: [], edits: [] };
  readonly #paths: PresentValues;
  readonly #lines: PresentValues;
  /** For each path, the last boundary whose summary or attachments name it, and the last boundary after which a result or a message names it. */
  readonly #carried: Int32Array;
  readonly #seen: Int32Array;
  /** Number of the last boundary, from 1. */
  #number = 0;
  /** Number of the last compaction. Content dropped by an earlier boundary no longer counts as missing. */
  #compaction = 0;
  #isCarried: ReadonlySet<ItemIndex> = new Set();
  #attached: readonly ItemIndex[] = [];

  constructor(
    private readonly columns: SessionColumns,
    private readonly index: UsedTexts,
    private readonly isRecording: boolean,
  ) {
    this.#paths = new PresentValues(index.mentions, index.uses);
    this.#lines = new PresentValues(index.lines, index.edits);
    this.#carried = new Int32Array(this.#paths.length);
    this.#seen = new Int32Array(this.#paths.length);
  }

  /**
   * Applies a boundary.
   * @param number of the boundary, from 1
   */
  leave({ kind, dropped, carried, attached }: RefetchBoundary, number: number): void {
    const missed = kind === "rollback" ? 0 : number;
    this.#number = number;
    if (kind === "compaction") {
      this.#compaction = number;
      for (const row of this.#attached) this.#drop(row, missed);
      this.#isCarried = new Set(carried);
      this.#attached = attached;
    }
    for (const row of dropped) this.#drop(row, missed);
    for (const row of attached) this.#carry(row);
  }

  #drop(row: ItemIndex, missed: number): void {
    this.#paths.leave(this.index.mentions, row, missed);
    this.#lines.leave(this.index.lines, row, missed);
  }

  #carry(row: ItemIndex): void {
    mark(this.#carried, this.index.mentions, row, this.#number);
    this.#enter(row);
  }

  /** Marks the texts of a row as present. A path stays missing until a call uses it; then this text may be its origin. */
  #enter(row: ItemIndex): void {
    this.#paths.enter(this.index.mentions, row);
    this.#lines.enter(this.index.lines, row);
    mark(this.#lines.missed, this.index.lines, row, 0);
  }

  /** Adds the next row of the file to the context. */
  next(row: ItemIndex): void {
    if (this.#isCarried.has(row)) {
      this.#carry(row);
      return;
    }
    const isCopy = isRecordedOnly(this.columns, row);
    if (isCopy && !this.isRecording) return;
    if (this.columns.kind[row] === KIND.tool_call && !isCopy) this.#call(row);
    this.#enter(row);
    if (this.columns.origin[row] === ORIGIN.response) return;
    mark(this.#seen, this.index.mentions, row, this.#number);
  }

  #call(row: ItemIndex): void {
    for (const lines of hasValues(this.index.edits, row) ? editsOf(this.index.edits, row) : []) {
      const number = Math.min(...lines.map((line) => this.#lines.missed[line] ?? 0));
      if (number > 0 && number >= this.#compaction) this.found.edits.push({ boundary: number - 1, needed: row, lines });
    }
    const { offset, value } = this.index.uses;
    const end = offset[row + 1] ?? 0;
    for (let at = offset[row] ?? 0; at < end; at++) {
      const path = value[at] ?? 0;
      const number = this.#paths.missed[path] ?? 0;
      if (number === 0 || number < this.#compaction) continue;
      this.#paths.missed[path] = 0;
      this.found.paths.push({ boundary: number - 1, needed: row, path, origin: this.#originOf(path, number) });
    }
  }

  #originOf(path: number, number: number): RefetchOrigin {
    if ((this.#carried[path] ?? 0) >= number) return "carried";
    return (this.#seen[path] ?? 0) >= number ? "foundAgain" : "unexplained";
  }
}

function hasValues({ offset }: RaggedColumn, row: ItemIndex): boolean {
  return (offset[row + 1] ?? 0) > (offset[row] ?? 0);
}

/** Sets a number for every value of a row. Creates no subarray, because this runs for every row of every replay. */
function mark(marks: Int32Array, { offset, value }: RaggedColumn, row: ItemIndex, number: number): void {
  const end = offset[row + 1] ?? 0;
  for (let at = offset[row] ?? 0; at < end; at++) marks[value[at] ?? 0] = number;
}

/** Values of the texts in the context, and values that a boundary dropped. */
class PresentValues {
  /** By value, the number of texts in the context that hold it. */
  readonly #texts: Int32Array;
  /** By value, the boundary that dropped the last text with it; 0 if it is not missing. */
  readonly missed: Int32Array;
  readonly length: number;

  constructor(...columns: readonly RaggedColumn[]) {
    this.length = Math.max(...columns.map(valueCount));
    this.#texts = new Int32Array(this.length);
    this.missed = new Int32Array(this.length);
  }

  enter({ offset, value }: RaggedColumn, row: ItemIndex): void {
    const end = offset[row + 1] ?? 0;
    for (let at = offset[row] ?? 0; at < end; at++) {
      const one = value[at] ?? 0;
      this.#texts[one] = (this.#texts[one] ?? 0) + 1;
    }
  }

  /** @param missed the number of the boundary; 0 if leaving values do not count as missing */
  leave({ offset, value }: RaggedColumn, row: ItemIndex, missed: number): void {
    const end = offset[row + 1] ?? 0;
    for (let at = offset[row] ?? 0; at < end; at++) {
      const one = value[at] ?? 0;
      const left = (this.#texts[one] ?? 0) - 1;
      this.#texts[one] = left;
      if (left === 0 && missed > 0) this.missed[one] = missed;
    }
  }
}
