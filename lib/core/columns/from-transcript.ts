import { categoryCode, type ItemCategoryId } from "../context/categories";
import type { Block, Message, OverheadEntry, Transcript } from "../transcript/model";
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
import { NameTable } from "./name-table";
import { RaggedWriter } from "./ragged";

/**
 * Flattens a transcript into columns, without token columns: one row a block in the order of the messages, behind the
 * overhead rows (what the file records, then one inferred row, which is always there and may stay empty).
 */
export function columnsFromTranscript(transcript: Transcript): SessionColumns {
  const overheadRows = transcript.overhead.length + 1;
  const starts = messageStarts(transcript.messages, overheadRows);
  const length = starts[transcript.messages.length] ?? overheadRows;
  const writer = new RowWriter(length);
  transcript.overhead.forEach((entry, row) => writer.overhead(row, entry));
  writer.inferredOverhead(overheadRows - 1);
  let turn = -1;
  transcript.messages.forEach((message, index) => {
    if (startsTurn(message)) turn += 1;
    message.blocks.forEach((block, part) =>
      writer.block((starts[index] ?? 0) + part, { message, block, part, index, turn }),
    );
  });
  const pair = pairColumn(transcript.messages, starts, length);
  const models = new NameTable();
  const requests = requestColumns(transcript, starts, models);
  return {
    version: COLUMNS_VERSION,
    length,
    overheadRows,
    tokens: {},
    measures: {},
    lists: {},
    ...writer.columns(),
    pair,
    requests,
    boundaries: boundaryColumns(transcript, starts, requests),
    tables: { tools: writer.tools.names, files: writer.files.names, models: models.names },
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

function startsTurn(message: Message): boolean {
  return message.origin === "typed" && message.recordedOnly !== true;
}

interface Cell {
  readonly message: Message;
  readonly block: Block;
  readonly part: number;
  readonly index: number;
  readonly turn: number;
}

class RowWriter {
  readonly tools = new NameTable();
  readonly files = new NameTable();
  readonly #rows;

  constructor(length: number) {
    this.#rows = {
      bytes: new Int32Array(length),
      chars: new Int32Array(length),
      category: new Uint8Array(length),
      kind: new Uint8Array(length),
      role: new Uint8Array(length),
      origin: new Uint8Array(length),
      flags: new Uint8Array(length),
      message: new Int32Array(length).fill(-1),
      turn: new Int32Array(length).fill(-1),
      tool: new Int32Array(length).fill(-1),
      file: new Int32Array(length).fill(-1),
      line: new Int32Array(length).fill(-1),
      at: new Float64Array(length).fill(Number.NaN),
    };
  }

  columns() {
    return this.#rows;
  }

  overhead(row: number, entry: OverheadEntry): void {
    const rows = this.#rows;
    rows.bytes[row] = entry.text.bytes;
    rows.chars[row] = entry.text.chars;
    rows.category[row] = categoryCode(entry.category);
    rows.line[row] = entry.source.line;
  }

  inferredOverhead(row: number): void {
    this.#rows.category[row] = categoryCode("overheadInferred");
  }

  block(row: number, { message, block, part, index, turn }: Cell): void {
    const rows = this.#rows;
    rows.bytes[row] = block.text.bytes;
    rows.chars[row] = block.text.chars;
    rows.category[row] = categoryCode(categoryOf(message, block));
    rows.kind[row] = KINDS.indexOf(block.kind);
    rows.role[row] = ROLES.indexOf(message.role);
    rows.origin[row] = ORIGINS.indexOf(message.origin);
    rows.flags[row] = flagsOf(message, block, part);
    rows.message[row] = index;
    rows.turn[row] = turn;
    rows.tool[row] = block.tool === undefined ? -1 : this.tools.index(block.tool);
    rows.file[row] = block.file === undefined ? -1 : this.files.index(block.file);
    rows.line[row] = message.line;
    rows.at[row] = message.at ?? Number.NaN;
  }
}

/** The part of `messages` that a block belongs to. */
function categoryOf(message: Message, block: Block): ItemCategoryId {
  if (message.origin === "summary") return "summaries";
  if (block.kind === "tool_call") return "toolCalls";
  if (block.kind === "thinking") return "thinking";
  if (message.origin === "tool") return "toolResults";
  if (message.origin === "context") return "attachments";
  if (message.origin === "response") return "assistant";
  return block.kind === "tool_result" ? "toolResults" : "user";
}

function flagsOf(message: Message, block: Block, part: number): number {
  return (
    (part === 0 ? FLAG.MESSAGE_START : 0) |
    (part === 0 && startsTurn(message) ? FLAG.TURN_START : 0) |
    (message.recordedOnly === true ? FLAG.RECORDED_ONLY : 0) |
    (message.initialContext === true ? FLAG.INITIAL_CONTEXT : 0) |
    (block.isError === true ? FLAG.ERROR : 0)
  );
}

/** The first result of every call, and the call of every result; copies that a compaction put back are not paired. */
function pairColumn(messages: readonly Message[], starts: Int32Array, length: number): Int32Array {
  const pair = new Int32Array(length).fill(-1);
  const calls = new Map<string, number>();
  messages.forEach((message, index) => {
    if (message.recordedOnly === true) return;
    message.blocks.forEach((block, part) => {
      if (block.callId === undefined) return;
      const row = (starts[index] ?? 0) + part;
      if (block.kind === "tool_call" && !calls.has(block.callId)) calls.set(block.callId, row);
      const call = block.kind === "tool_result" ? calls.get(block.callId) : undefined;
      if (call === undefined) return;
      pair[row] = call;
      if (pair[call] === -1) pair[call] = row;
    });
  });
  return pair;
}

function requestColumns(transcript: Transcript, starts: Int32Array, models: NameTable): RequestColumns {
  const points = transcript.requests;
  const usage = (pick: (point: (typeof points)[number]) => number | undefined) =>
    Int32Array.from(points, (point) => pick(point) ?? -1);
  return {
    length: points.length,
    firstItem: Int32Array.from(points, (point) => starts[point.message] ?? 0),
    input: usage((point) => point.usage?.input),
    cacheRead: usage((point) => point.usage?.cacheRead),
    cacheWrite: usage((point) => point.usage?.cacheWrite),
    output: usage((point) => point.usage?.output),
    at: Float64Array.from(points, (point) => point.at ?? Number.NaN),
    model: Int32Array.from(points, (point) => (point.model === undefined ? -1 : models.index(point.model))),
    line: Int32Array.from(points, (point) => point.line),
  };
}

function boundaryColumns(transcript: Transcript, starts: Int32Array, requests: RequestColumns): BoundaryColumns {
  const kept = new RaggedWriter();
  const cleared = new RaggedWriter();
  const results = resultRows(transcript.messages, starts);
  const rows = transcript.boundaries;
  for (const boundary of rows) {
    kept.row(boundary.kept.flatMap((message) => range(starts[message] ?? 0, starts[message + 1] ?? 0)));
    cleared.row(boundary.clearedCalls.flatMap((call) => results.get(call) ?? []));
  }
  const item = Int32Array.from(rows, (boundary) => starts[boundary.message] ?? 0);
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

function resultRows(messages: readonly Message[], starts: Int32Array): ReadonlyMap<string, number[]> {
  const rows = new Map<string, number[]>();
  messages.forEach((message, index) => {
    message.blocks.forEach((block, part) => {
      if (block.kind !== "tool_result" || block.callId === undefined) return;
      const known = rows.get(block.callId);
      const row = (starts[index] ?? 0) + part;
      if (known === undefined) rows.set(block.callId, [row]);
      else known.push(row);
    });
  });
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
