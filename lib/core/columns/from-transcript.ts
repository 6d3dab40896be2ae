import { ColumnRoom } from "../base/column-room";
import { NameTable } from "../base/name-table";
import { categoryCode } from "../context/categories";
import { BLOCK_KINDS } from "../transcript/block-list";
import type { BlockRows, Message, MessageRows, Origin, OverheadEntry, Transcript } from "../transcript/model";
import {
  BOUNDARY_KINDS,
  type BoundaryColumns,
  COLUMNS_VERSION,
  FLAG,
  KINDS,
  ORIGINS,
  type RequestColumns,
  ROLES,
  type SessionColumns,
  TRIGGERS,
} from "./columns";
import { RaggedWriter } from "./ragged";

/**
 * Flattens a transcript into columns, without token columns: one row a block in the order of the messages, behind the
 * overhead rows (what the file records, then one inferred row, which is always there and may stay empty).
 */
export function columnsFromTranscript(transcript: Transcript): SessionColumns {
  const { list } = transcript;
  const overheadRows = transcript.overhead.length + 1;
  const length = overheadRows + list.blocks.length;
  const writer = new RowWriter(list, overheadRows);
  transcript.overhead.forEach((entry, row) => writer.overhead(row, entry));
  writer.inferredOverhead(overheadRows - 1);
  writer.messages();
  const models = new NameTable();
  const requests = requestColumns(transcript, overheadRows, models);
  const { at, bytes, chars, message, turn, tool, file, line, pair, category, kind, role, origin, flags } = writer.rows;
  return {
    version: COLUMNS_VERSION,
    length,
    overheadRows,
    tokens: {},
    measures: {},
    lists: {},
    bytes,
    chars,
    category,
    kind,
    role,
    origin,
    flags,
    message,
    turn,
    pair,
    tool,
    file,
    line,
    at,
    requests,
    boundaries: boundaryColumns(transcript, overheadRows, requests),
    tables: {
      tools: writer.tools.names,
      files: writer.files.names,
      models: models.names,
      overhead: [...transcript.overhead.map((entry) => entry.name), ""],
    },
  };
}

/** First row of every message; one entry more than messages: the end. */
export function messageStarts(messages: readonly Message[], overheadRows: number): Int32Array {
  const starts = new Int32Array(messages.length + 1);
  let row = overheadRows;
  messages.forEach((message, index) => {
    starts[index] = row;
    row += message.blocks.length;
  });
  starts[messages.length] = row;
  return starts;
}

const NONE = -1;
const CALL = BLOCK_KINDS.indexOf("tool_call");
const RESULT = BLOCK_KINDS.indexOf("tool_result");
const THINKING = BLOCK_KINDS.indexOf("thinking");
/** Codes of the columns by those of the transcript. */
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

/** Overhead whose entry is one tool's declaration: its name is the tool's. */
const DECLARES_TOOL: ReadonlySet<string> = new Set(["builtinTools", "mcpTools", "deferredTools"]);

class RowWriter {
  readonly tools: Renamed;
  readonly files: Renamed;
  readonly #list: MessageRows;
  /** Columns of the blocks: asked for once, since a list may put them together for it. */
  readonly #blocks: Pick<BlockRows, "kind" | "category" | "isError" | "tool" | "file">;
  readonly #overheadRows: number;
  readonly rows;

  constructor(list: MessageRows, overheadRows: number) {
    const length = overheadRows + list.blocks.length;
    const { kind, category, isError, tool, file } = list.blocks;
    this.#list = list;
    this.#blocks = { kind, category, isError, tool, file };
    this.#overheadRows = overheadRows;
    this.tools = new Renamed(list.blocks.tools);
    this.files = new Renamed(list.blocks.files);
    const room = new ColumnRoom(length, { floats: 1, integers: 8, bytes: 5 });
    this.rows = {
      at: room.floats().fill(Number.NaN, 0, overheadRows),
      bytes: room.integers(),
      chars: room.integers(),
      message: room.integers().fill(NONE, 0, overheadRows),
      turn: room.integers().fill(NONE, 0, overheadRows),
      tool: room.integers().fill(NONE, 0, overheadRows),
      file: room.integers().fill(NONE, 0, overheadRows),
      line: room.integers().fill(NONE, 0, overheadRows),
      pair: room.integers().fill(NONE),
      category: room.bytes(),
      kind: room.bytes(),
      role: room.bytes(),
      origin: room.bytes(),
      flags: room.bytes(),
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

  /** Writes the rows of all messages. */
  messages(): void {
    const { blocks } = this.#list;
    this.rows.bytes.set(blocks.bytes.subarray(0, blocks.length), this.#overheadRows);
    this.rows.chars.set(blocks.chars.subarray(0, blocks.length), this.#overheadRows);
    writePairs(this.rows.pair, this.#list, this.#overheadRows);
    let turn = -1;
    for (let index = 0; index < this.#list.length; index++) {
      if (this.#startsTurn(index)) turn += 1;
      this.#message(index, turn);
    }
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
    return FLAG.MESSAGE_START | (this.#startsTurn(index) ? FLAG.TURN_START : 0);
  }
}

/** A table of names in the order in which the rows come to them. */
class Renamed {
  readonly names: string[] = [];
  readonly #source: readonly string[];
  readonly #indices: number[];

  constructor(source: readonly string[]) {
    this.#source = source;
    this.#indices = source.map(() => NONE);
  }

  /** The index here of a name's index there; −1 for none. */
  index(source: number): number {
    if (source === NONE) return NONE;
    const known = this.#indices[source] ?? NONE;
    if (known !== NONE) return known;
    this.names.push(this.#source[source] ?? "");
    this.#indices[source] = this.names.length - 1;
    return this.names.length - 1;
  }

  /** The index here of a name that the rows need not have. */
  indexOfName(name: string): number {
    const source = this.#source.indexOf(name);
    if (source !== -1) return this.index(source);
    const known = this.names.indexOf(name);
    return known !== -1 ? known : this.names.push(name) - 1;
  }
}

/** The part of `messages` that a block of a kind (an index into `BLOCK_KINDS`) belongs to. */
function categoryOf(origin: Origin, kind: number): number {
  if (origin === "summary") return CATEGORY.summaries;
  if (kind === CALL) return CATEGORY.toolCalls;
  if (kind === THINKING) return CATEGORY.thinking;
  if (origin === "tool") return CATEGORY.toolResults;
  if (origin === "context") return CATEGORY.attachments;
  if (origin === "response") return CATEGORY.assistant;
  return kind === RESULT ? CATEGORY.toolResults : CATEGORY.user;
}

/** Writes the first result of every call, and the call of every result; copies that a compaction put back are not paired. */
function writePairs(pair: Int32Array, list: MessageRows, overheadRows: number): void {
  const { blocks } = list;
  const calls = blocks.callIds.map(() => NONE);
  if (calls.length === 0) return;
  for (let message = 0; message < list.length; message++) {
    if (list.recordedOnly(message)) continue;
    const end = list.firstBlock(message + 1);
    for (let block = list.firstBlock(message); block < end; block++) {
      const id = blocks.callId[block] ?? NONE;
      const row = block + overheadRows;
      if (id === NONE) continue;
      if (blocks.kind[block] === CALL && calls[id] === NONE) calls[id] = row;
      const call = blocks.kind[block] === RESULT ? (calls[id] ?? NONE) : NONE;
      if (call === NONE) continue;
      pair[row] = call;
      if (pair[call] === NONE) pair[call] = row;
    }
  }
}

/** Of sessions without a response: made once, as `NO_BOUNDARIES`. */
const NO_REQUESTS: RequestColumns = {
  length: 0,
  at: new Float64Array(0),
  firstItem: new Int32Array(0),
  input: new Int32Array(0),
  cacheRead: new Int32Array(0),
  cacheWrite: new Int32Array(0),
  output: new Int32Array(0),
  model: new Int32Array(0),
  line: new Int32Array(0),
};

function requestColumns(transcript: Transcript, overheadRows: number, models: NameTable): RequestColumns {
  const { list, requests: points } = transcript;
  const { length } = points;
  if (length === 0) return { ...NO_REQUESTS };
  const room = new ColumnRoom(length, { floats: 1, integers: 7 });
  const columns = {
    length,
    at: room.floats(),
    firstItem: room.integers(),
    input: room.integers(),
    cacheRead: room.integers(),
    cacheWrite: room.integers(),
    output: room.integers(),
    model: room.integers(),
    line: room.integers(),
  };
  for (const [index, { message, usage, at, model, line }] of points.entries()) {
    columns.firstItem[index] = list.firstBlock(message) + overheadRows;
    columns.input[index] = usage?.input ?? NONE;
    columns.cacheRead[index] = usage?.cacheRead ?? NONE;
    columns.cacheWrite[index] = usage?.cacheWrite ?? NONE;
    columns.output[index] = usage?.output ?? NONE;
    columns.at[index] = at ?? Number.NaN;
    columns.model[index] = model === undefined ? NONE : models.index(model);
    columns.line[index] = line;
  }
  return columns;
}

/** Of most sessions: made once, since an empty array takes as long as a hundred short ones. */
const NO_BOUNDARIES: BoundaryColumns = {
  length: 0,
  item: new Int32Array(0),
  request: new Int32Array(0),
  line: new Int32Array(0),
  kind: new Uint8Array(0),
  trigger: new Uint8Array(0),
  tokensBefore: new Int32Array(0),
  tokensAfter: new Int32Array(0),
  kept: new RaggedWriter().column(),
  cleared: new RaggedWriter().column(),
};

function boundaryColumns(transcript: Transcript, overheadRows: number, requests: RequestColumns): BoundaryColumns {
  // A copy: columns are told apart by their parts.
  if (transcript.boundaries.length === 0) return { ...NO_BOUNDARIES };
  const kept = new RaggedWriter();
  const cleared = new RaggedWriter();
  const { list, boundaries: rows } = transcript;
  const start = (message: number) => list.firstBlock(message) + overheadRows;
  const results = resultRows(transcript, overheadRows);
  for (const boundary of rows) {
    kept.row(boundary.kept.flatMap((message) => range(start(message), start(message + 1))));
    cleared.row(boundary.clearedCalls.flatMap((call) => results.get(call) ?? []));
  }
  const item = Int32Array.from(rows, (boundary) => start(boundary.message));
  return {
    length: rows.length,
    item,
    request: item.map((first) => requestAfter(requests.firstItem, first)),
    line: Int32Array.from(rows, (boundary) => boundary.line),
    kind: Uint8Array.from(rows, (boundary) => BOUNDARY_KINDS.indexOf(boundary.kind)),
    trigger: Uint8Array.from(rows, (boundary) => TRIGGERS.indexOf(boundary.trigger)),
    tokensBefore: Int32Array.from(rows, (boundary) => boundary.tokensBefore ?? -1),
    tokensAfter: Int32Array.from(rows, (boundary) => boundary.tokensAfter ?? -1),
    kept: kept.column(),
    cleared: cleared.column(),
  };
}

/** Rows of the results of the calls that some boundary cleared. */
function resultRows({ list, boundaries }: Transcript, overheadRows: number): ReadonlyMap<string, number[]> {
  const { blocks } = list;
  const rows = new Map<string, number[]>();
  for (const { clearedCalls } of boundaries) for (const call of clearedCalls) rows.set(call, []);
  if (rows.size === 0) return rows;
  for (let block = 0; block < blocks.length; block++) {
    if (blocks.kind[block] !== RESULT) continue;
    rows.get(blocks.callIds[blocks.callId[block] ?? NONE] ?? "")?.push(block + overheadRows);
  }
  return rows;
}

/** The first request point whose response starts at or after the item; the number of points where there is none. */
function requestAfter(firstItem: Int32Array, item: number): number {
  let low = 0;
  let high = firstItem.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((firstItem[middle] ?? 0) < item) low = middle + 1;
    else high = middle;
  }
  return low;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}
