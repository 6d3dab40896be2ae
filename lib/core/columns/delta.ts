import { type AnyArray, beginsWith, CodecError, decodeTree, encodeTree } from "./codec";
import type { SessionColumns } from "./columns";

/**
 * Changes from the columns of a session to those of the same session after it continued. An array mostly grows at its end. A few earlier rows change,
 * such as a call's when its result arrives.
 */
type ColumnsDelta = Change;

/** A delta as bytes has the format of columns after these characters. */
const MAGIC = "CRDEL\0\0\0";

type Change =
  /** Unchanged. */
  | { readonly is: "same" }
  /** Another value, or a value that did not exist before. */
  | { readonly is: "new"; readonly value: unknown }
  /** A typed array: the first `keep` rows stay, except those in `at`, which become `to`; `tail` follows. */
  | {
      readonly is: "rows";
      readonly keep: number;
      readonly at: Int32Array;
      readonly to: AnyArray;
      readonly tail: AnyArray;
    }
  /** A list, such as one of names: the first `keep` entries stay, and `tail` follows. */
  | { readonly is: "list"; readonly keep: number; readonly tail: readonly unknown[] }
  /** An object with exactly these keys. */
  | { readonly is: "fields"; readonly of: Readonly<Record<string, Change>> };

const SAME: Change = { is: "same" };

/** Computes the changes from some columns to later ones. */
export function columnsDelta(before: SessionColumns, after: SessionColumns): ColumnsDelta {
  return changeOf(before, after);
}

/** Applies a delta. Unchanged arrays are shared with the earlier columns. Throws `CodecError` if the delta belongs to other columns. */
export function withDelta(before: SessionColumns, delta: ColumnsDelta): SessionColumns {
  // `columnsDelta` made the delta from two columns.
  const after = applied(before, delta) as SessionColumns;
  if (after === before) return before;
  // Copies, because caches identify sessions by these objects, and the cached results depend on other columns too.
  const tokens = Object.fromEntries(Object.entries(after.tokens).map(([id, column]) => [id, column.slice()]));
  return { ...after, tokens, requests: { ...after.requests }, boundaries: { ...after.boundaries } };
}

/** Encodes a delta as bytes. `decodeDelta` is the inverse. */
export function encodeDelta(delta: ColumnsDelta): Uint8Array<ArrayBuffer> {
  return encodeTree(MAGIC, delta);
}

/** Decodes a delta from bytes. Throws `CodecError`. */
export function decodeDelta(bytes: Uint8Array): ColumnsDelta {
  return decodeTree(MAGIC, bytes) as ColumnsDelta; // The magic and the version are checked, so `encodeDelta` wrote this tree.
}

/** True if bytes begin like a delta. */
export function isDelta(bytes: Uint8Array): boolean {
  return beginsWith(bytes, MAGIC);
}

/** Number of leading rows that are the same items in both, so that their text need not be loaded again. */
export function sameItems(before: SessionColumns, after: SessionColumns): number {
  const rows = Math.min(before.length, after.length);
  const identity = (["line", "message", "bytes", "chars", "kind"] as const).map((name) => [before[name], after[name]]);
  for (let row = 0; row < rows; row++) {
    if (identity.some(([was, is]) => was?.[row] !== is?.[row])) return row;
  }
  return rows;
}

function changeOf(before: unknown, after: unknown): Change {
  if (isArray(after)) return isArray(before) && sameType(before, after) ? rowsChange(before, after) : newValue(after);
  if (Array.isArray(after)) return Array.isArray(before) ? listChange(before, after) : newValue(after);
  if (isFields(after)) return isFields(before) ? fieldsChange(before, after) : newValue(after);
  return Object.is(before, after) ? SAME : newValue(after);
}

function newValue(value: unknown): Change {
  return { is: "new", value };
}

function rowsChange(before: AnyArray, after: AnyArray): Change {
  const keep = Math.min(before.length, after.length);
  const at: number[] = [];
  for (let row = 0; row < keep; row++) if (!Object.is(before[row], after[row])) at.push(row);
  if (at.length === 0 && before.length === after.length) return SAME;
  const to = emptyOf(after, at.length);
  for (const [index, row] of at.entries()) to[index] = after[row] ?? 0;
  return { is: "rows", keep, at: Int32Array.from(at), to, tail: after.subarray(keep) };
}

function listChange(before: readonly unknown[], after: readonly unknown[]): Change {
  let keep = 0;
  while (keep < before.length && keep < after.length && changeOf(before[keep], after[keep]).is === "same") keep++;
  return keep === before.length && keep === after.length ? SAME : { is: "list", keep, tail: after.slice(keep) };
}

function fieldsChange(before: Fields, after: Fields): Change {
  const of = Object.fromEntries(Object.entries(after).map(([key, value]) => [key, changeOf(before[key], value)]));
  const isSame = Object.keys(before).every((key) => key in of) && Object.values(of).every(({ is }) => is === "same");
  return isSame ? SAME : { is: "fields", of };
}

function applied(before: unknown, change: Change): unknown {
  switch (change.is) {
    case "same":
      return before;
    case "new":
      return change.value;
    case "rows": {
      const { keep, at, to, tail } = change;
      if (!isArray(before) || before.length < keep || !sameType(before, tail)) throw otherColumns();
      const after = emptyOf(tail, keep + tail.length);
      after.set(before.subarray(0, keep));
      for (const [index, row] of at.entries()) after[row] = to[index] ?? 0;
      after.set(tail, keep);
      return after;
    }
    case "list":
      if (!Array.isArray(before) || before.length < change.keep) throw otherColumns();
      return [...before.slice(0, change.keep), ...change.tail];
    case "fields":
      if (!isFields(before)) throw otherColumns();
      return Object.fromEntries(Object.entries(change.of).map(([key, one]) => [key, applied(before[key], one)]));
    default:
      return change satisfies never;
  }
}

function otherColumns(): CodecError {
  return new CodecError("this delta is of other columns");
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isArray(value);
}

function isArray(value: unknown): value is AnyArray {
  return value instanceof Int32Array || value instanceof Uint8Array || value instanceof Float64Array;
}

function sameType(one: AnyArray, other: AnyArray): boolean {
  return one.constructor === other.constructor;
}

/** Returns a zero-filled array of the same type. */
function emptyOf(array: AnyArray, length: number): AnyArray {
  if (array instanceof Float64Array) return new Float64Array(length);
  return array instanceof Int32Array ? new Int32Array(length) : new Uint8Array(length);
}
