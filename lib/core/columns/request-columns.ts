import { ColumnRoom } from "../base/column-room";
import type { NameTable } from "../base/name-table";
import type { Transcript } from "../transcript/model";
import { EXTRA, type ExtraColumns, type RequestColumns } from "./columns";
import type { TermsTable } from "./terms-table";

const NONE = -1;

/** Shared by all sessions without a response, for the same reason as `NO_BOUNDARIES`. */
const NO_REQUESTS: RequestColumns = unwritten(0);

/** One row per request point. Adds the requests' models and terms to the tables. */
export function requestColumns(
  transcript: Pick<Transcript, "list" | "requests">,
  overheadRows: number,
  models: NameTable,
  terms: TermsTable,
): RequestColumns {
  const { list, requests: points } = transcript;
  const { length } = points;
  if (length === 0) return { ...NO_REQUESTS };
  const columns = unwritten(length);
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
export function extraColumns(
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

/** Columns of so many rows, in which nothing is written yet. */
function unwritten(length: number) {
  const room = new ColumnRoom(length, { floats: 4, integers: 11, bytes: 2 });
  return {
    length,
    at: room.floats(),
    billedAt: room.floats(),
    ownCost: room.floats(),
    response: room.floats(),
    firstItem: room.integers(),
    input: room.integers(),
    cacheRead: room.integers(),
    cacheWrite: room.integers(),
    cacheWrite1h: room.integers(),
    output: room.integers(),
    reasoning: room.integers(),
    webSearches: room.integers(),
    terms: room.integers(),
    model: room.integers(),
    line: room.integers(),
    inherited: room.bytes(),
    partial: room.bytes(),
  };
}
