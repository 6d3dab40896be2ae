import { ColumnRoom } from "../base/column-room";
import type { NameTable } from "../base/name-table";
import type { Transcript } from "../transcript/model";
import type { RequestColumns } from "./columns";

const NONE = -1;

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

/** A row a request point. Models get their places in the table. */
export function requestColumns(transcript: Transcript, overheadRows: number, models: NameTable): RequestColumns {
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
