import { ColumnBuffer } from "../base/column-buffer";
import { NameTable } from "../base/name-table";
import { lowerBound, range } from "../base/numbers";
import { BLOCK } from "../transcript/block-list";
import type { ExtraRequest, RequestTerms, Transcript } from "../transcript/model";
import {
  BOUNDARY_KINDS,
  type BoundaryColumns,
  COLUMNS_VERSION,
  EXTRA,
  type ExtraColumns,
  type RequestColumns,
  type RequestTermsRow,
  type SessionColumns,
  TRIGGERS,
} from "./columns";
import { RaggedWriter } from "./ragged";
import { RowWriter } from "./rows";

/**
 * Converts a transcript to columns, without token columns. First come the overhead rows (the recorded entries, then one inferred row, which always
 * exists and may stay empty), then one row per block in message order.
 * @param extraRequests all extra requests, if other files than the session's own hold further ones
 */
export function columnsFromTranscript(
  transcript: Transcript,
  extraRequests: readonly ExtraRequest[] = transcript.extraRequests,
): SessionColumns {
  const { list } = transcript;
  const overheadRows = transcript.overhead.length + 1;
  const length = overheadRows + list.blocks.length;
  const writer = new RowWriter(list, overheadRows);
  transcript.overhead.forEach((entry, row) => writer.overhead(row, entry));
  writer.inferredOverhead(overheadRows - 1);
  writer.messages();
  const models = new NameTable();
  const terms = new TermsTable();
  const requests = requestColumns(transcript, overheadRows, models, terms);
  const extra = extraColumns({ list, extraRequests }, overheadRows, models, terms);
  const { at, bytes, chars, message, turn, tool, file, line, pair, category, kind, role, origin, flags } = writer.rows;
  return {
    version: COLUMNS_VERSION,
    length,
    overheadRows,
    tokens: {},
    measures: {},
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
    extra,
    tables: {
      tools: writer.tools.names,
      files: writer.files.names,
      models: models.names,
      terms: terms.rows,
      overhead: [...transcript.overhead.map((entry) => entry.name), ""],
    },
  };
}

const NONE = -1;

/**
 * Shared by all sessions without boundaries, which are the majority: creating an empty typed array takes as long as creating a hundred short ones.
 */
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

/** One row per recorded boundary, with the item rows that it kept and cleared. */
function boundaryColumns(transcript: Transcript, overheadRows: number, requests: RequestColumns): BoundaryColumns {
  // A copy, because caches identify sessions by these objects.
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
    // The first request point whose response starts at or after the item; the number of request points if there is none.
    request: item.map((first) => lowerBound(requests.firstItem, first)),
    line: Int32Array.from(rows, (boundary) => boundary.line),
    kind: Uint8Array.from(rows, (boundary) => BOUNDARY_KINDS.indexOf(boundary.kind)),
    trigger: Uint8Array.from(rows, (boundary) => TRIGGERS.indexOf(boundary.inferredTrigger ?? boundary.trigger)),
    tokensBefore: Int32Array.from(rows, (boundary) => boundary.tokensBefore ?? -1),
    tokensAfter: Int32Array.from(rows, (boundary) => boundary.tokensAfter ?? -1),
    kept: kept.column(),
    cleared: cleared.column(),
  };
}

/** Result rows of every call that some boundary cleared. */
function resultRows({ list, boundaries }: Transcript, overheadRows: number): ReadonlyMap<string, number[]> {
  const { blocks } = list;
  const rows = new Map<string, number[]>();
  for (const { clearedCalls } of boundaries) for (const call of clearedCalls) rows.set(call, []);
  if (rows.size === 0) return rows;
  for (let block = 0; block < blocks.length; block++) {
    if (blocks.kind[block] !== BLOCK.tool_result) continue;
    rows.get(blocks.callIds[blocks.callId[block] ?? NONE] ?? "")?.push(block + overheadRows);
  }
  return rows;
}

/** Shared by all sessions without a response, for the same reason as `NO_BOUNDARIES`. */
const NO_REQUESTS: RequestColumns = blankRequestColumns(0);

/** One row per request point. Adds the requests' models and terms to the tables. */
function requestColumns(
  transcript: Pick<Transcript, "list" | "requests">,
  overheadRows: number,
  models: NameTable,
  terms: TermsTable,
): RequestColumns {
  const { list, requests: points } = transcript;
  const { length } = points;
  if (length === 0) return { ...NO_REQUESTS };
  const columns = blankRequestColumns(length);
  for (const [index, point] of points.entries()) {
    const { message, usage, at, billedAt, terms: own, model, line } = point;
    columns.firstItem[index] = list.firstBlock(message) + overheadRows;
    columns.input[index] = usage?.input ?? NONE;
    columns.cacheRead[index] = usage?.cacheRead ?? NONE;
    columns.cacheWrite[index] = usage?.cacheWrite ?? NONE;
    columns.cacheWrite1h[index] = usage?.cacheWrite1h ?? NONE;
    columns.output[index] = usage?.output ?? NONE;
    columns.reasoning[index] = usage?.reasoning ?? NONE;
    columns.webSearches[index] = usage?.webSearches ?? NONE;
    columns.ownCost[index] = usage?.ownCost ?? Number.NaN;
    columns.at[index] = at ?? Number.NaN;
    columns.billedAt[index] = billedAt ?? at ?? Number.NaN;
    columns.terms[index] = own === undefined ? NONE : terms.index(own);
    columns.model[index] = model === undefined ? NONE : models.index(model);
    columns.line[index] = line;
    if (point.inherited === true) columns.inherited[index] = 1;
    columns.response[index] = point.response ?? Number.NaN;
    if (point.partialOutput === true) columns.partial[index] = 1;
  }
  return columns;
}

/** One row per extra request. Adds their models and terms to the tables. */
function extraColumns(
  { list, extraRequests }: Pick<Transcript, "list" | "extraRequests">,
  overheadRows: number,
  models: NameTable,
  terms: TermsTable,
): ExtraColumns {
  const points = extraRequests.map((request) => ({ message: 0, ...request }));
  return {
    ...requestColumns({ list, requests: points }, overheadRows, models, terms),
    kind: Uint8Array.from(extraRequests, ({ kind }) => EXTRA[kind]),
    point: Int32Array.from(extraRequests, ({ point = NONE }) => point),
    boundary: Int32Array.from(extraRequests, ({ boundary = NONE }) => boundary),
    furtherPass: Uint8Array.from(extraRequests, ({ kind, furtherPass }) =>
      kind === "pass" || furtherPass === true ? 1 : 0,
    ),
  };
}

/** Columns with this many rows and no values yet. */
function blankRequestColumns(length: number) {
  const buffer = new ColumnBuffer(length, { floats: 4, integers: 11, bytes: 2 });
  return {
    length,
    at: buffer.floats(),
    billedAt: buffer.floats(),
    ownCost: buffer.floats(),
    response: buffer.floats(),
    firstItem: buffer.integers(),
    input: buffer.integers(),
    cacheRead: buffer.integers(),
    cacheWrite: buffer.integers(),
    cacheWrite1h: buffer.integers(),
    output: buffer.integers(),
    reasoning: buffer.integers(),
    webSearches: buffer.integers(),
    terms: buffer.integers(),
    model: buffer.integers(),
    line: buffer.integers(),
    inherited: buffer.bytes(),
    partial: buffer.bytes(),
  };
}

/**
 * Distinct request terms in order of first appearance, without the requests' places. Each process becomes a number, because its id is as private as a
 * place.
 */
export class TermsTable {
  readonly rows: RequestTermsRow[] = [];
  readonly #processes = new NameTable();
  readonly #indices = new Map<string, number>();
  /** Readers use the same object for many requests. */
  readonly #seen = new WeakMap<RequestTerms, number>();

  /** Index of these terms; −1 for a request that has only a place. */
  index(terms: RequestTerms): number {
    const index = this.#seen.get(terms) ?? this.#indexOf(terms);
    this.#seen.set(terms, index);
    return index;
  }

  #indexOf({ process, branch: _, folder: __, subagent: ___, ...terms }: RequestTerms): number {
    const row = process === undefined ? terms : { ...terms, process: this.#processes.index(process) };
    if (Object.keys(row).length === 0) return -1;
    const key = JSON.stringify(row);
    const known = this.#indices.get(key);
    if (known !== undefined) return known;
    this.#indices.set(key, this.rows.length);
    this.rows.push(row);
    return this.rows.length - 1;
  }
}
