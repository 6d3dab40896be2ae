import type { ItemIndex } from "../base/units";
import { KIND, ORIGIN, type RaggedColumn, type SessionColumns } from "../columns/columns";
import { isRecordedOnly, type RefetchBoundary } from "./boundaries";
import { editsOf } from "./edits";
import type { RefetchIndex } from "./index-builder";
import { valueCount } from "./transposed";

/**
 * How the model came by a path again that a boundary dropped: the summary or what was carried along names it, a later result or message names it first,
 * or nothing in the file explains it.
 */
export const NEED_ORIGINS = ["carried", "foundAgain", "unexplained"] as const;
export type RefetchOrigin = (typeof NEED_ORIGINS)[number];

/** A path that was used again after every mention of it had been dropped (N3 of docs/method.md, "Re-fetched content"). */
export interface PathRefetch {
  /** The boundary that dropped the last mention, as its place in the list. */
  readonly boundary: number;
  /** The call that uses it. */
  readonly needed: ItemIndex;
  readonly path: number;
  readonly origin: RefetchOrigin;
}

/** An edit whose old text stood in dropped items alone (N4). */
export interface EditRefetch extends Pick<PathRefetch, "boundary" | "needed"> {
  readonly lines: Int32Array;
}

/** What was needed again, in the order of the file. */
interface Needs {
  readonly paths: readonly PathRefetch[];
  readonly edits: readonly EditRefetch[];
}

/** What the rules of paths and edits need to know of the texts. */
export type UsedTexts = Pick<RefetchIndex, "lines" | "mentions" | "uses" | "edits">;

/**
 * What was needed again, by the paths that later calls use and the texts that they replace. Each path and each edit counts once after a boundary, at its
 * first place, up to the next compaction. Linear in what the items name, whatever the number of boundaries.
 * @param boundaries in the order of the file
 * @param isRecording whether they are the recorded ones: then what they put back counts as being in the context
 */
export function neededAgain(
  columns: SessionColumns,
  index: UsedTexts,
  boundaries: readonly RefetchBoundary[],
  isRecording: boolean,
): Needs {
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

class Walk {
  readonly found: { readonly paths: PathRefetch[]; readonly edits: EditRefetch[] } = { paths: [], edits: [] };
  readonly #paths: Standing;
  readonly #lines: Standing;
  /** By path, the last boundary whose summary or attachments name it, and the last one after which a result or a message does. */
  readonly #carried: Int32Array;
  readonly #seen: Int32Array;
  /** Number of the last boundary, from 1. */
  #number = 0;
  /** Number of the last compaction: what went before it is no longer missed. */
  #compaction = 0;
  #isCarried: ReadonlySet<ItemIndex> = new Set();
  #attached: readonly ItemIndex[] = [];

  constructor(
    private readonly columns: SessionColumns,
    private readonly index: UsedTexts,
    private readonly isRecording: boolean,
  ) {
    this.#paths = new Standing(index.mentions, index.uses);
    this.#lines = new Standing(index.lines, index.edits);
    this.#carried = new Int32Array(this.#paths.length);
    this.#seen = new Int32Array(this.#paths.length);
  }

  /** @param number of the boundary, from 1 */
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

  /** Texts that are there again are not missed. A path may be: that a later text names it says how the model came by it. */
  #enter(row: ItemIndex): void {
    this.#paths.enter(this.index.mentions, row);
    this.#lines.enter(this.index.lines, row);
    mark(this.#lines.missed, this.index.lines, row, 0);
  }

  /** The next row of the file enters the context. */
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

/** Sets a number for every value of a row. Without a view of the row: this runs for every row of every replay. */
function mark(marks: Int32Array, { offset, value }: RaggedColumn, row: ItemIndex, number: number): void {
  const end = offset[row + 1] ?? 0;
  for (let at = offset[row] ?? 0; at < end; at++) marks[value[at] ?? 0] = number;
}

/** Which values the texts in the context hold, and which are missed. */
class Standing {
  /** By value, the number of texts in the context that hold it. */
  readonly #texts: Int32Array;
  /** By value, the boundary that dropped the last text with it; 0 where it is not missed. */
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

  /** @param missed the number of the boundary; 0 where what leaves is not missed */
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
