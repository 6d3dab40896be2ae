import { lowerBound } from "../base/numbers";
import type { ItemIndex, RequestIndex } from "../base/units";
import type { BoundaryColumns, ExtraColumns, RequestColumns, SessionColumns } from "./columns";
import { RaggedWriter, raggedMeasureOf, raggedName, raggedRow } from "./ragged";

/** A request point of the gathered columns. */
export interface GatheredPoint {
  /** Recorded request that the point represents; the number of requests if the recording lacks it. */
  readonly request: RequestIndex;
  /** First item of the recording that was not sent with it. */
  readonly firstItem: ItemIndex;
  /** True if the recorded usage is copied too; otherwise the point is an estimate. */
  readonly usage: boolean;
}

/** Rows of the columns to gather. */
interface GatheredPart {
  /** Item rows, ascending, overhead rows included. */
  readonly rows: readonly ItemIndex[];
  /** Consecutive requests. */
  readonly points: readonly GatheredPoint[];
  /** Boundary rows, ascending. */
  readonly boundaries: readonly number[];
  /** Bits of the column `flags` to clear on every row. */
  readonly clearedFlags: number;
}

/**
 * Gathers some of a session's rows into a recording of its own, whose items, requests and boundaries are numbered from 0. Tables and the numbers of
 * turns and messages do not change. The cost is linear in the gathered rows.
 */
export function gatherColumns(columns: SessionColumns, part: GatheredPart): SessionColumns {
  const { rows, clearedFlags } = part;
  const int = (column: Int32Array) => gatherRows(column, rows);
  const byte = (column: Uint8Array) => Uint8Array.from(rows, (row) => column[row] ?? 0);
  const newRow = newRowsOf(columns.length, rows);
  const flags = byte(columns.flags).map((bits) => bits & ~clearedFlags);
  return {
    ...columns,
    length: rows.length,
    tokens: mapValues(columns.tokens, int),
    measures: gatherMeasures(columns.measures, rows),
    bytes: int(columns.bytes),
    chars: int(columns.chars),
    category: byte(columns.category),
    kind: byte(columns.kind),
    role: byte(columns.role),
    origin: byte(columns.origin),
    flags,
    message: int(columns.message),
    turn: int(columns.turn),
    pair: int(columns.pair).map((row) => newRow[row] ?? -1),
    tool: int(columns.tool),
    file: int(columns.file),
    line: int(columns.line),
    at: Float64Array.from(rows, (row) => columns.at[row] ?? Number.NaN),
    requests: gatherRequests(columns.requests, part),
    boundaries: gatherBoundaries(columns.boundaries, part, newRow),
    extra: gatherExtra(columns.extra, part),
  };
}

/** Measures of some rows; a ragged measure has two columns. */
function gatherMeasures(measures: SessionColumns["measures"], rows: readonly ItemIndex[]): SessionColumns["measures"] {
  const gathered: Record<string, Int32Array> = {};
  for (const [name, column] of Object.entries(measures)) {
    const list = raggedName(name);
    const lists = list === undefined ? undefined : raggedMeasureOf(measures, list);
    if (list === undefined || lists === undefined) gathered[name] = gatherRows(column, rows);
    else if (name.endsWith(".offset")) {
      const writer = new RaggedWriter();
      for (const row of rows) writer.row([...raggedRow(lists, row)]);
      const { offset, value } = writer.column();
      Object.assign(gathered, { [`${list}.offset`]: offset, [`${list}.value`]: value });
    }
  }
  return gathered;
}

/** A column's values at some rows. */
export function gatherRows(column: Int32Array, rows: readonly ItemIndex[]): Int32Array {
  return Int32Array.from(rows, (row) => column[row] ?? 0);
}

/** New index of every row of the session; −1 if the row was omitted. */
function newRowsOf(length: number, rows: readonly ItemIndex[]): Int32Array {
  const newRow = new Int32Array(length).fill(-1);
  rows.forEach((row, index) => {
    newRow[row] = index;
  });
  return newRow;
}

function gatherRequests(requests: RequestColumns, { rows, points }: GatheredPart): RequestColumns {
  const usage = (column: Int32Array) =>
    Int32Array.from(points, ({ request, usage: known }) => (known ? (column[request] ?? -1) : -1));
  const of = (column: Int32Array | Float64Array, none: number) => points.map(({ request }) => column[request] ?? none);
  return {
    length: points.length,
    firstItem: Int32Array.from(points, ({ firstItem }) => lowerBound(rows, firstItem)),
    input: usage(requests.input),
    cacheRead: usage(requests.cacheRead),
    cacheWrite: usage(requests.cacheWrite),
    cacheWrite1h: usage(requests.cacheWrite1h),
    output: usage(requests.output),
    reasoning: usage(requests.reasoning),
    webSearches: usage(requests.webSearches),
    ownCost: Float64Array.from(points, ({ request, usage: known }) =>
      known ? (requests.ownCost[request] ?? Number.NaN) : Number.NaN,
    ),
    billedAt: Float64Array.from(of(requests.billedAt, Number.NaN)),
    terms: Int32Array.from(of(requests.terms, -1)),
    at: Float64Array.from(of(requests.at, Number.NaN)),
    model: Int32Array.from(of(requests.model, -1)),
    line: Int32Array.from(of(requests.line, -1)),
    inherited: Uint8Array.from(points, ({ request }) => requests.inherited[request] ?? 0),
    response: Float64Array.from(of(requests.response, Number.NaN)),
    partial: Uint8Array.from(points, ({ request }) => requests.partial[request] ?? 0),
  };
}

/** All extra requests, with the new indices of their points and boundaries. */
function gatherExtra(extra: ExtraColumns, { points, boundaries }: GatheredPart): ExtraColumns {
  const offset = points[0]?.request ?? 0;
  return {
    ...extra,
    point: extra.point.map((point) => (point >= offset && point < offset + points.length ? point - offset : -1)),
    boundary: extra.boundary.map((boundary) => boundaries.indexOf(boundary)),
  };
}

function gatherBoundaries(boundaries: BoundaryColumns, part: GatheredPart, newRow: Int32Array): BoundaryColumns {
  const { rows, points, boundaries: chosen } = part;
  const kept = new RaggedWriter();
  const cleared = new RaggedWriter();
  const stillThere = (items: Int32Array) => Array.from(items, (row) => newRow[row] ?? -1).filter((row) => row >= 0);
  for (const boundary of chosen) {
    kept.row(stillThere(raggedRow(boundaries.kept, boundary)));
    cleared.row(stillThere(raggedRow(boundaries.cleared, boundary)));
  }
  const int = (column: Int32Array) => Int32Array.from(chosen, (row) => column[row] ?? -1);
  const byte = (column: Uint8Array) => Uint8Array.from(chosen, (row) => column[row] ?? 0);
  const offset = points[0]?.request ?? 0;
  return {
    length: chosen.length,
    item: int(boundaries.item).map((row) => lowerBound(rows, row)),
    request: int(boundaries.request).map((request) => request - offset),
    line: int(boundaries.line),
    kind: byte(boundaries.kind),
    trigger: byte(boundaries.trigger),
    tokensBefore: int(boundaries.tokensBefore),
    tokensAfter: int(boundaries.tokensAfter),
    kept: kept.column(),
    cleared: cleared.column(),
  };
}

function mapValues<In, Out>(record: Readonly<Record<string, In>>, map: (value: In) => Out): Record<string, Out> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
