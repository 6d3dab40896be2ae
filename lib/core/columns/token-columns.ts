import { categoryCode } from "../base/categories";
import { sumOf } from "../base/numbers";
import { MAX_CONTEXT, type Tokens } from "../base/units";
import { IMAGE_TOKENS, SIZE_ESTIMATORS, type SizeEstimatorId } from "../tokens/estimator";
import { KIND, recordedContext, type SessionColumns } from "./columns";
import type { CountedColumns } from "./counted";
import { recordedMembership } from "./membership";

const INFERRED = categoryCode("overheadInferred");

/** Token column of a size estimator, inferred overhead included. Images cost `IMAGE_TOKENS`. */
export function sizeTokenColumn(columns: SessionColumns, id: SizeEstimatorId): Int32Array {
  const rule = SIZE_ESTIMATORS[id].tokens;
  const perItem = new Int32Array(columns.length);
  for (let row = 0; row < columns.length; row++) {
    perItem[row] =
      columns.kind[row] === KIND.image ? IMAGE_TOKENS : rule(columns.chars[row] ?? 0, columns.bytes[row] ?? 0);
  }
  return tokenColumn(columns, perItem);
}

/** Columns counted by a size estimator. */
export function countedBySize(columns: SessionColumns, id: SizeEstimatorId): CountedColumns {
  return { columns, tokens: sizeTokenColumn(columns, id) };
}

/**
 * Fills in the inferred overhead row of counted items.
 * @param perItem tokens of every row under one estimator; the value of the inferred row is ignored
 */
export function tokenColumn(columns: SessionColumns, perItem: Int32Array): Int32Array {
  const column = Int32Array.from(perItem);
  const row = columns.overheadRows - 1;
  if (columns.category[row] === INFERRED) column[row] = inferredOverhead(columns, column);
  if (sumOf(column) > MAX_CONTEXT) throw new TooManyTokensError();
  return column;
}

/** Thrown when a session's rows sum to more tokens than a column of contexts holds. */
export class TooManyTokensError extends Error {
  override name = "TooManyTokensError";
}

/**
 * Overhead that the file does not hold: the first recorded request's context minus the estimate of its sent items. 0 if no context is recorded or the
 * estimate is larger. Source: docs/method.md, "The overhead that is not in the file".
 */
function inferredOverhead(columns: SessionColumns, tokens: Int32Array): Tokens {
  const request = firstRecordedRequest(columns);
  if (request === -1) return 0;
  let sent = 0;
  for (let row = 0; row < columns.overheadRows - 1; row++) sent += tokens[row] ?? 0;
  const { entered, dropped } = recordedMembership(columns);
  for (let row = columns.overheadRows; row < columns.length; row++) {
    if ((entered[row] ?? 0) > request) break;
    if ((dropped[row] ?? 0) > request) sent += tokens[row] ?? 0;
  }
  return Math.max(0, recordedContext(columns, request) - sent);
}

function firstRecordedRequest(columns: SessionColumns): number {
  for (let request = 0; request < columns.requests.length; request++) {
    if (recordedContext(columns, request) > 0) return request;
  }
  return -1;
}

/** Adds a token column. */
export function withTokenColumn(columns: SessionColumns, id: string, column: Int32Array): SessionColumns {
  return { ...columns, tokens: { ...columns.tokens, [id]: column } };
}
