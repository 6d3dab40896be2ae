import { assert } from "../base/assert";
import { grownBytes, grownFloats, grownIntegers } from "../base/growing";
import { NameTable } from "../base/name-table";
import type { Bytes, Chars, LineNumber } from "../base/units";
import { categoryCode, OVERHEAD_CATEGORIES } from "../context/categories";
import type { Block, BlockKind, BlockRows, BlockSource, TextMeasure } from "./model";

/** Values of the column `kind`, as codes. */
export const BLOCK_KINDS = ["text", "thinking", "tool_call", "tool_result", "image"] as const satisfies BlockKind[];

/**
 * Rows that a new list has room for. Arrays of up to 64 bytes lie in the engine's own heap; each larger one is an allocation
 * of its own, and of a short session those would take longer than its content.
 */
const FIRST_CAPACITY = 8;
const NONE = -1;

/**
 * Blocks as columns, one row a block, in the order in which they were added. A block object costs about ten times as much
 * memory, and a file of 1 GB has half a million: `block` makes one when it is asked for. The arrays are as long as the
 * capacity and replaced when that grows: take them anew after adding.
 */
export class BlockList implements BlockRows {
  readonly #callIds: NameTable;
  readonly #tools: NameTable;
  readonly #files: NameTable;
  /** Kept texts; a row without one is a hole. */
  #values: (string | undefined)[] = [];
  #length = 0;
  #kind = new Uint8Array(FIRST_CAPACITY);
  #isError = new Uint8Array(FIRST_CAPACITY);
  /** One more than the category's code; 0 where the message says it. */
  #category = new Uint8Array(FIRST_CAPACITY);
  #chars = new Int32Array(FIRST_CAPACITY);
  #bytes = new Int32Array(FIRST_CAPACITY);
  #line = new Int32Array(FIRST_CAPACITY);
  #offset = new Float64Array(FIRST_CAPACITY);
  #recordLength = new Int32Array(FIRST_CAPACITY);
  #part = new Int32Array(FIRST_CAPACITY);
  #callId = new Int32Array(FIRST_CAPACITY);
  #tool = new Int32Array(FIRST_CAPACITY);
  #file = new Int32Array(FIRST_CAPACITY);

  /** @param names a list whose tables of names it shares: they only grow, so that an index means the same to both */
  constructor(names?: BlockList) {
    this.#callIds = names === undefined ? new NameTable() : names.#callIds;
    this.#tools = names === undefined ? new NameTable() : names.#tools;
    this.#files = names === undefined ? new NameTable() : names.#files;
  }

  /** A list of the same rows: what is added to one is not seen in the other. */
  copy(): BlockList {
    const copy = new BlockList(this);
    copy.#length = this.#length;
    copy.#values = this.#values.slice();
    copy.#kind = this.#kind.slice();
    copy.#isError = this.#isError.slice();
    copy.#category = this.#category.slice();
    copy.#chars = this.#chars.slice();
    copy.#bytes = this.#bytes.slice();
    copy.#line = this.#line.slice();
    copy.#offset = this.#offset.slice();
    copy.#recordLength = this.#recordLength.slice();
    copy.#part = this.#part.slice();
    copy.#callId = this.#callId.slice();
    copy.#tool = this.#tool.slice();
    copy.#file = this.#file.slice();
    return copy;
  }

  get length(): number {
    return this.#length;
  }

  get kind(): Uint8Array {
    return this.#kind;
  }

  get chars(): Int32Array {
    return this.#chars;
  }

  get bytes(): Int32Array {
    return this.#bytes;
  }

  get isError(): Uint8Array {
    return this.#isError;
  }

  get category(): Uint8Array {
    return this.#category;
  }

  get callId(): Int32Array {
    return this.#callId;
  }

  get tool(): Int32Array {
    return this.#tool;
  }

  get file(): Int32Array {
    return this.#file;
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

  /** Adds a block and gives its row. */
  push({ kind, text, source, callId, tool, file, isError, category }: Block): number {
    const row = this.#newRow();
    this.#kind[row] = BLOCK_KINDS.indexOf(kind);
    this.#isError[row] = isError === true ? 1 : 0;
    this.#category[row] = category === undefined ? 0 : categoryCode(category) + 1;
    this.#measure(row, text);
    this.#place(row, source);
    this.#callId[row] = callId === undefined ? NONE : this.#callIds.index(callId);
    this.#tool[row] = tool === undefined ? NONE : this.#tools.index(tool);
    this.#file[row] = file === undefined ? NONE : this.#files.index(file);
    return row;
  }

  /** Adds rows of a list that shares its names with this one. */
  pushRows(source: BlockList, first: number, end: number): void {
    assert(source.#callIds === this.#callIds, "lists that share their names");
    for (let from = first; from < end; from++) {
      const row = this.#newRow();
      this.#kind[row] = source.#kind[from] ?? 0;
      this.#isError[row] = source.#isError[from] ?? 0;
      this.#category[row] = source.#category[from] ?? 0;
      this.#chars[row] = source.#chars[from] ?? 0;
      this.#bytes[row] = source.#bytes[from] ?? 0;
      this.#line[row] = source.#line[from] ?? 0;
      this.#offset[row] = source.#offset[from] ?? 0;
      this.#recordLength[row] = source.#recordLength[from] ?? 0;
      this.#part[row] = source.#part[from] ?? 0;
      this.#callId[row] = source.#callId[from] ?? NONE;
      this.#tool[row] = source.#tool[from] ?? NONE;
      this.#file[row] = source.#file[from] ?? NONE;
      const value = source.#values[from];
      if (value !== undefined) this.#values[row] = value;
    }
  }

  #measure(row: number, text: TextMeasure): void {
    this.#chars[row] = text.chars;
    this.#bytes[row] = text.bytes;
    if (text.value !== undefined) this.#values[row] = text.value;
  }

  #place(row: number, source: BlockSource): void {
    this.#line[row] = source.line;
    this.#offset[row] = source.offset;
    this.#recordLength[row] = source.length;
    this.#part[row] = source.part;
  }

  /** Gives a result the tool and the file of its call, where it has none of its own. */
  copyCallFacts(result: number, call: number): void {
    if (this.#tool[result] === NONE) this.#tool[result] = this.#tool[call] ?? NONE;
    if (this.#file[result] === NONE) this.#file[result] = this.#file[call] ?? NONE;
  }

  block(row: number): Block {
    const callId = this.#callIds.names[this.#callId[row] ?? NONE];
    const tool = this.#tools.names[this.#tool[row] ?? NONE];
    const file = this.#files.names[this.#file[row] ?? NONE];
    const category = OVERHEAD_CATEGORIES[(this.#category[row] ?? 0) - 1];
    return {
      kind: BLOCK_KINDS[this.#kind[row] ?? 0] ?? "text",
      text: this.#text(row),
      source: this.source(row),
      ...(callId === undefined ? {} : { callId }),
      ...(tool === undefined ? {} : { tool }),
      ...(file === undefined ? {} : { file }),
      ...(this.#isError[row] === 1 ? { isError: true } : {}),
      ...(category === undefined ? {} : { category }),
    };
  }

  /** Where the text of a row lies. */
  source(row: number): BlockSource {
    const line: LineNumber = this.#line[row] ?? 0;
    const offset: Bytes = this.#offset[row] ?? 0;
    return { line, offset, length: this.#recordLength[row] ?? 0, part: this.#part[row] ?? 0 };
  }

  #text(row: number): TextMeasure {
    const chars: Chars = this.#chars[row] ?? 0;
    const bytes: Bytes = this.#bytes[row] ?? 0;
    const value = this.#values[row];
    return value === undefined ? { chars, bytes } : { chars, bytes, value };
  }

  #newRow(): number {
    if (this.#length === this.#kind.length) this.#grow(this.#length * 2);
    this.#length += 1;
    return this.#length - 1;
  }

  #grow(capacity: number): void {
    this.#kind = grownBytes(this.#kind, capacity);
    this.#isError = grownBytes(this.#isError, capacity);
    this.#category = grownBytes(this.#category, capacity);
    this.#chars = grownIntegers(this.#chars, capacity);
    this.#bytes = grownIntegers(this.#bytes, capacity);
    this.#line = grownIntegers(this.#line, capacity);
    this.#offset = grownFloats(this.#offset, capacity);
    this.#recordLength = grownIntegers(this.#recordLength, capacity);
    this.#part = grownIntegers(this.#part, capacity);
    this.#callId = grownIntegers(this.#callId, capacity);
    this.#tool = grownIntegers(this.#tool, capacity);
    this.#file = grownIntegers(this.#file, capacity);
  }
}
