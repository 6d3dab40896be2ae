import { categoryCode } from "../base/categories";
import { ColumnBuffer } from "../base/column-buffer";
import { BLOCK, BLOCK_KINDS } from "../transcript/block-list";
import type { BlockRows, MessageRows, Origin, OverheadEntry } from "../transcript/model";
import { FLAG, KINDS, ORIGINS, ROLES } from "./columns";

const NONE = -1;
/** The transcript's block kinds as codes of the column `kind`. */
const KIND_CODES = BLOCK_KINDS.map((kind) => KINDS.indexOf(kind));
const CATEGORY = {
  summaries: categoryCode("summaries"),
  toolCalls: categoryCode("toolCalls"),
  thinking: categoryCode("thinking"),
  toolResults: categoryCode("toolResults"),
  attachments: categoryCode("attachments"),
  assistant: categoryCode("assistant"),
  user: categoryCode("user"),
} as const;

/** Overhead categories whose entries each declare one tool: the entry's name is the tool's name. */
const DECLARES_TOOL: ReadonlySet<string> = new Set(["builtinTools", "mcpTools", "deferredTools"]);

/** Writes the rows of a transcript's overhead and blocks. */
export class RowWriter {
  readonly tools: RenumberedNames;
  readonly files: RenumberedNames;
  readonly #list: MessageRows;
  /** Columns of the blocks. Read once, since a list may assemble them on each access. */
  readonly #blocks: Pick<BlockRows, "kind" | "category" | "isError" | "estimated" | "tool" | "file">;
  readonly #overheadRows: number;
  readonly rows;

  constructor(list: MessageRows, overheadRows: number) {
    const length = overheadRows + list.blocks.length;
    const { kind, category, isError, estimated, tool, file } = list.blocks;
    this.#list = list;
    this.#blocks = { kind, category, isError, estimated, tool, file };
    this.#overheadRows = overheadRows;
    this.tools = new RenumberedNames(list.blocks.tools);
    this.files = new RenumberedNames(list.blocks.files);
    const buffer = new ColumnBuffer(length, { floats: 1, integers: 8, bytes: 5 });
    this.rows = {
      at: buffer.floats().fill(Number.NaN, 0, overheadRows),
      bytes: buffer.integers(),
      chars: buffer.integers(),
      message: buffer.integers().fill(NONE, 0, overheadRows),
      turn: buffer.integers().fill(NONE, 0, overheadRows),
      tool: buffer.integers().fill(NONE, 0, overheadRows),
      file: buffer.integers().fill(NONE, 0, overheadRows),
      line: buffer.integers().fill(NONE, 0, overheadRows),
      pair: buffer.integers().fill(NONE),
      category: buffer.bytes(),
      kind: buffer.bytes(),
      role: buffer.bytes(),
      origin: buffer.bytes(),
      flags: buffer.bytes(),
    };
  }

  overhead(row: number, entry: OverheadEntry): void {
    const rows = this.rows;
    rows.bytes[row] = entry.text.bytes;
    rows.chars[row] = entry.text.chars;
    rows.category[row] = categoryCode(entry.category);
    if (DECLARES_TOOL.has(entry.category)) rows.tool[row] = this.tools.indexOfName(entry.name);
    rows.line[row] = entry.source.line;
  }

  inferredOverhead(row: number): void {
    this.rows.category[row] = categoryCode("overheadInferred");
  }

  messages(): void {
    const { blocks } = this.#list;
    this.rows.bytes.set(blocks.bytes.subarray(0, blocks.length), this.#overheadRows);
    this.rows.chars.set(blocks.chars.subarray(0, blocks.length), this.#overheadRows);
    let turn = -1;
    for (let index = 0; index < this.#list.length; index++) {
      if (this.#startsTurn(index)) turn += 1;
      this.#message(index, turn);
    }
    writePairs(this.rows, this.#list, this.#overheadRows);
  }

  #message(index: number, turn: number): void {
    const rows = this.rows;
    const list = this.#list;
    const origin = list.origin(index);
    const role = ROLES.indexOf(list.role(index));
    const originCode = ORIGINS.indexOf(origin);
    const line = list.line(index);
    const at = list.at(index);
    const flags = this.#messageFlags(index);
    const end = list.firstBlock(index + 1) + this.#overheadRows;
    const first = list.firstBlock(index) + this.#overheadRows;
    for (let row = first; row < end; row++) {
      rows.role[row] = role;
      rows.origin[row] = originCode;
      rows.message[row] = index;
      rows.turn[row] = turn;
      rows.line[row] = line;
      rows.at[row] = at;
      rows.flags[row] = row === first ? flags | this.#startFlags(index) : flags;
      this.#block(row, origin);
    }
  }

  #block(row: number, origin: Origin): void {
    const blocks = this.#blocks;
    const rows = this.rows;
    const block = row - this.#overheadRows;
    const kind = blocks.kind[block] ?? 0;
    rows.kind[row] = KIND_CODES[kind] ?? 0;
    const category = blocks.category[block] ?? 0;
    rows.category[row] = category > 0 ? category - 1 : categoryOf(origin, kind);
    if (blocks.isError[block] === 1) rows.flags[row] = (rows.flags[row] ?? 0) | FLAG.ERROR;
    if (blocks.estimated[block] === 1) rows.flags[row] = (rows.flags[row] ?? 0) | FLAG.ESTIMATED;
    rows.tool[row] = this.tools.index(blocks.tool[block] ?? NONE);
    rows.file[row] = this.files.index(blocks.file[block] ?? NONE);
  }

  #startsTurn(index: number): boolean {
    return this.#list.origin(index) === "typed" && !this.#list.recordedOnly(index);
  }

  #messageFlags(index: number): number {
    return (
      (this.#list.recordedOnly(index) ? FLAG.RECORDED_ONLY : 0) |
      (this.#list.initialContext(index) ? FLAG.INITIAL_CONTEXT : 0) |
      (this.#list.notResumed(index) ? FLAG.NOT_RESUMED : 0)
    );
  }

  #startFlags(index: number): number {
    return (
      FLAG.MESSAGE_START |
      (this.#startsTurn(index) ? FLAG.TURN_START : 0) |
      (this.#list.partialOutput(index) ? FLAG.PARTIAL_OUTPUT : 0)
    );
  }
}

/** Table of names, renumbered in the order in which the rows use them. */
class RenumberedNames {
  readonly names: string[] = [];
  readonly #source: readonly string[];
  readonly #indices: number[];

  constructor(source: readonly string[]) {
    this.#source = source;
    this.#indices = source.map(() => NONE);
  }

  /** New index of a name's index in the source table; −1 for none. */
  index(source: number): number {
    if (source === NONE) return NONE;
    const known = this.#indices[source] ?? NONE;
    if (known !== NONE) return known;
    this.names.push(this.#source[source] ?? "");
    this.#indices[source] = this.names.length - 1;
    return this.names.length - 1;
  }

  /** New index of a name, even if no row uses it. */
  indexOfName(name: string): number {
    const source = this.#source.indexOf(name);
    if (source !== -1) return this.index(source);
    const known = this.names.indexOf(name);
    return known !== -1 ? known : this.names.push(name) - 1;
  }
}

/** Category of a block, from its message's origin and its kind (an index into `BLOCK_KINDS`). */
function categoryOf(origin: Origin, kind: number): number {
  if (origin === "summary") return CATEGORY.summaries;
  if (kind === BLOCK.tool_call) return CATEGORY.toolCalls;
  if (kind === BLOCK.thinking) return CATEGORY.thinking;
  if (origin === "tool") return CATEGORY.toolResults;
  if (origin === "context") return CATEGORY.attachments;
  if (origin === "response") return CATEGORY.assistant;
  return kind === BLOCK.tool_result ? CATEGORY.toolResults : CATEGORY.user;
}

/**
 * Pairs every call with its first result, and every result with its call, and marks calls without a result and results without a call. Copies that a
 * compaction restored are not paired.
 */
function writePairs({ pair, flags }: RowWriter["rows"], list: MessageRows, overheadRows: number): void {
  const { blocks } = list;
  const calls = blocks.callIds.map(() => NONE);
  if (calls.length === 0) return;
  for (let message = 0; message < list.length; message++) {
    if (list.recordedOnly(message)) continue;
    const end = list.firstBlock(message + 1);
    const isResponse = list.origin(message) === "response";
    let isOrphan = false;
    for (let block = list.firstBlock(message); block < end; block++) {
      const id = blocks.callId[block] ?? NONE;
      const row = block + overheadRows;
      const isResult = blocks.kind[block] === BLOCK.tool_result;
      isOrphan = isResult ? id !== NONE && calls[id] === NONE : isOrphan && blocks.kind[block] === BLOCK.image;
      if (isOrphan && !isResponse) flags[row] = (flags[row] ?? 0) | FLAG.ORPHAN;
      if (id === NONE) continue;
      if (blocks.kind[block] === BLOCK.tool_call && calls[id] === NONE) calls[id] = row;
      const call = isResult ? (calls[id] ?? NONE) : NONE;
      if (call === NONE) continue;
      pair[row] = call;
      if (pair[call] === NONE) pair[call] = row;
    }
  }
  for (const call of calls)
    if (call !== NONE && pair[call] === NONE) flags[call] = (flags[call] ?? 0) | FLAG.UNANSWERED;
}
