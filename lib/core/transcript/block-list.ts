import { assert } from "../base/assert";
import { categoryCode, OVERHEAD_CATEGORIES } from "../base/categories";
import { codesOf } from "../base/codes";
import { NameTable } from "../base/name-table";
import type { Bytes, Chars, LineNumber } from "../base/units";
import { BlockPage } from "./block-page";
import type { Block, BlockKind, BlockRows, BlockSource, TextMeasure } from "./model";

/** Values of the column `kind`, as codes. */
export const BLOCK_KINDS = ["text", "thinking", "tool_call", "tool_result", "image"] as const satisfies BlockKind[];
export const BLOCK = codesOf(BLOCK_KINDS);

/** Initial capacity of a list: enough rows for a short session. */
const FIRST_CAPACITY = 16;
/** A page has `PAGE_ROWS` rows. Up to this size a list doubles; beyond it, copying the list would take as much memory again. */
const PAGE_BITS = 13;
const PAGE_ROWS = 1 << PAGE_BITS;
const IN_PAGE = PAGE_ROWS - 1;
const NONE = -1;
/** Page that every list shares until it gets its first block. */
const NO_ROWS = new BlockPage(0);

/**
 * Blocks as columns, one row per block, in insertion order. A block object would take about ten times as much memory, and a file of 1 GB has half a
 * million; `block` creates one on demand. A column is assembled on demand and may be longer than the list. Read it again after adding blocks.
 */
export class BlockList implements BlockRows {
  readonly #callIds: NameTable;
  readonly #tools: NameTable;
  readonly #files: NameTable;
  /** Kept texts by row; rows without a kept text are holes. */
  #values: (string | undefined)[] = [];
  #length = 0;
  /** The first page may have any size; the others have `PAGE_ROWS` rows. */
  #first = NO_ROWS;
  #further: BlockPage[] = [];

  /** @param names a list to share name tables with: they only grow, so an index means the same to both lists */
  constructor(names?: BlockList) {
    this.#callIds = names === undefined ? new NameTable() : names.#callIds;
    this.#tools = names === undefined ? new NameTable() : names.#tools;
    this.#files = names === undefined ? new NameTable() : names.#files;
  }

  /** Copies the list. Later additions to one list do not affect the other. */
  copy(): BlockList {
    const copy = new BlockList(this);
    copy.#length = this.#length;
    copy.#values = this.#values.slice();
    copy.#first = this.#inOnePiece();
    return copy;
  }

  get length(): number {
    return this.#length;
  }

  get kind(): Uint8Array {
    return this.#whole().kind;
  }

  get chars(): Int32Array {
    return this.#whole().chars;
  }

  get bytes(): Int32Array {
    return this.#whole().bytes;
  }

  get isError(): Uint8Array {
    return this.#whole().isError;
  }

  get estimated(): Uint8Array {
    return this.#whole().estimated;
  }

  get category(): Uint8Array {
    return this.#whole().category;
  }

  get callId(): Int32Array {
    return this.#whole().callId;
  }

  get tool(): Int32Array {
    return this.#whole().tool;
  }

  get file(): Int32Array {
    return this.#whole().file;
  }

  get callIds(): readonly string[] {
    return this.#callIds.names;
  }

  get tools(): readonly string[] {
    return this.#tools.names;
  }

  get files(): readonly string[] {
    return this.#files.names;
  }

  /** Returns the call id of a row. Unlike `callId`, this does not assemble the column. */
  callIdAt(row: number): string | undefined {
    return nameAt(this.#callIds, this.#pageOf(row).callId[this.#rowInPage(row)]);
  }

  kindAt(row: number): BlockKind {
    return BLOCK_KINDS[this.#pageOf(row).kind[this.#rowInPage(row)] ?? 0] ?? "text";
  }

  /** Returns the length of a row's text without assembling the column. */
  charsAt(row: number): Chars {
    return this.#pageOf(row).chars[this.#rowInPage(row)] ?? 0;
  }

  /** Adds a block and returns its row. */
  push({ kind, text, source, callId, tool, file, isError, estimated, category }: Block): number {
    const row = this.#newRow();
    const page = this.#pageOf(row);
    const at = this.#rowInPage(row);
    page.kind[at] = BLOCK_KINDS.indexOf(kind);
    page.isError[at] = isError === true ? 1 : 0;
    page.estimated[at] = estimated === true ? 1 : 0;
    page.category[at] = category === undefined ? 0 : categoryCode(category) + 1;
    page.chars[at] = text.chars;
    page.bytes[at] = text.bytes;
    page.line[at] = source.line;
    page.offset[at] = source.offset;
    page.recordLength[at] = source.length;
    page.part[at] = source.part;
    page.callId[at] = callId === undefined ? NONE : this.#callIds.index(callId);
    page.tool[at] = tool === undefined ? NONE : this.#tools.index(tool);
    page.file[at] = file === undefined ? NONE : this.#files.index(file);
    if (text.value !== undefined) this.#values[row] = text.value;
    return row;
  }

  /** Adds rows of a list that shares its names with this one. */
  pushRows(source: BlockList, first: number, end: number): void {
    assert(source.#callIds === this.#callIds, "lists that share their names");
    for (let from = first; from < end; from++) {
      const row = this.#newRow();
      this.#pageOf(row).takeRow(source.#pageOf(from), source.#rowInPage(from), this.#rowInPage(row));
      const value = source.#values[from];
      if (value !== undefined) this.#values[row] = value;
    }
  }

  /** Copies the tool and the file of a call to its result, unless the result has its own. */
  copyCallFacts(result: number, call: number): void {
    const [to, at] = [this.#pageOf(result), this.#rowInPage(result)];
    const [from, of] = [this.#pageOf(call), this.#rowInPage(call)];
    if (to.tool[at] === NONE) to.tool[at] = from.tool[of] ?? NONE;
    if (to.file[at] === NONE) to.file[at] = from.file[of] ?? NONE;
  }

  /** Sets the estimated size of a row whose text is not in the file, with one character per byte. */
  estimate(row: number, bytes: Bytes): void {
    const page = this.#pageOf(row);
    const at = this.#rowInPage(row);
    page.chars[at] = bytes;
    page.bytes[at] = bytes;
    page.estimated[at] = 1;
    delete this.#values[row];
  }

  block(row: number): Block {
    const page = this.#pageOf(row);
    const at = this.#rowInPage(row);
    const callId = nameAt(this.#callIds, page.callId[at]);
    const tool = nameAt(this.#tools, page.tool[at]);
    const file = nameAt(this.#files, page.file[at]);
    const category = OVERHEAD_CATEGORIES[(page.category[at] ?? 0) - 1];
    return {
      kind: BLOCK_KINDS[page.kind[at] ?? 0] ?? "text",
      text: this.#text(row),
      source: this.source(row),
      ...(callId === undefined ? {} : { callId }),
      ...(tool === undefined ? {} : { tool }),
      ...(file === undefined ? {} : { file }),
      ...(page.isError[at] === 1 ? { isError: true } : {}),
      ...(page.estimated[at] === 1 ? { estimated: true } : {}),
      ...(category === undefined ? {} : { category }),
    };
  }

  source(row: number): BlockSource {
    const page = this.#pageOf(row);
    const at = this.#rowInPage(row);
    const line: LineNumber = page.line[at] ?? 0;
    const offset: Bytes = page.offset[at] ?? 0;
    return { line, offset, length: page.recordLength[at] ?? 0, part: page.part[at] ?? 0 };
  }

  #text(row: number): TextMeasure {
    const page = this.#pageOf(row);
    const at = this.#rowInPage(row);
    const chars: Chars = page.chars[at] ?? 0;
    const bytes: Bytes = page.bytes[at] ?? 0;
    const value = this.#values[row];
    return value === undefined ? { chars, bytes } : { chars, bytes, value };
  }

  #pageOf(row: number): BlockPage {
    const beyond = row - this.#first.capacity;
    return beyond < 0 ? this.#first : (this.#further[beyond >> PAGE_BITS] ?? this.#first);
  }

  #rowInPage(row: number): number {
    const beyond = row - this.#first.capacity;
    return beyond < 0 ? row : beyond & IN_PAGE;
  }

  #newRow(): number {
    if (this.#length === this.#first.capacity + this.#further.length * PAGE_ROWS) this.#grow();
    this.#length += 1;
    return this.#length - 1;
  }

  #grow(): void {
    if (this.#further.length > 0 || this.#first.capacity >= PAGE_ROWS) this.#further.push(new BlockPage(PAGE_ROWS));
    else this.#first = this.#inOnePiece(Math.max(FIRST_CAPACITY, this.#length * 2));
  }

  /** Assembles all rows into one page and keeps that page. */
  #whole(): BlockPage {
    if (this.#further.length > 0) {
      this.#first = this.#inOnePiece();
      this.#further = [];
    }
    return this.#first;
  }

  #inOnePiece(capacity = this.#length): BlockPage {
    const page = new BlockPage(capacity);
    if (this.#length === 0) return page;
    page.take(this.#first, Math.min(this.#length, this.#first.capacity));
    let at = this.#first.capacity;
    for (const further of this.#further) {
      page.take(further, Math.min(PAGE_ROWS, this.#length - at), at);
      at += PAGE_ROWS;
    }
    return page;
  }
}

/** Returns the name at an index, or `undefined` for −1, which is not an array index: a lookup would search for a property of that name. */
function nameAt({ names }: NameTable, index = NONE): string | undefined {
  return index === NONE ? undefined : names[index];
}
