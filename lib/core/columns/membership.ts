/**
 * Membership: the requests at which each row is part of the context, as three numbers per row. Example with four requests 0 to 3:
 *
 *   row             entered  dropped  cleared
 *   typed message      0        2       ∞      sent with requests 0 and 1; the compaction before request 2 drops it
 *   tool result        1        ∞       3      sent in full with requests 1 and 2, as a short placeholder from request 3 on
 *   summary            2        ∞       ∞      sent from request 2 on
 *
 * A recording and a replay use the same format, so every view of a context works on both. `memberSums` adds up the tokens at all requests in one pass.
 */

import type { ItemIndex, RequestIndex, Tokens } from "../base/units";
import { BOUNDARY, type SessionColumns } from "./columns";
import { pointCount, pointEnd } from "./points";
import { raggedRow } from "./ragged";

/** A request index that is never reached: such an item is never dropped, or never enters. */
export const NEVER: RequestIndex = 0x7fffffff;

/** Requests at which every row was in a context: each request r with `entered[row] <= r && r < dropped[row]`. */
export interface Membership {
  /** Ascending over the rows of the recording, so a loop may stop at the first row that enters too late. */
  readonly entered: Int32Array;
  readonly dropped: Int32Array;
  /** From this request on the context holds only a placeholder of the row. */
  readonly cleared: Int32Array;
}

export function isMember(membership: Membership, row: number, request: RequestIndex): boolean {
  return (membership.entered[row] ?? NEVER) <= request && request < (membership.dropped[row] ?? NEVER);
}

const cache = new WeakMap<SessionColumns["boundaries"], Membership>();

/** Computes the recorded membership from the boundaries and the rows that each of them kept and cleared. */
export function recordedMembership(columns: SessionColumns): Membership {
  const known = cache.get(columns.boundaries);
  if (known !== undefined) return known;
  const membership = {
    entered: entryColumn(columns),
    dropped: new Int32Array(columns.length).fill(NEVER),
    cleared: new Int32Array(columns.length).fill(NEVER),
  };
  for (let b = 0; b < columns.boundaries.length; b++) {
    if (columns.boundaries.kind[b] !== BOUNDARY.clearing) continue;
    const request = columns.boundaries.request[b] ?? 0;
    for (const row of raggedRow(columns.boundaries.cleared, b)) membership.cleared[row] = request;
  }
  eachDroppedRow(columns, (row, b) => {
    membership.dropped[row] = columns.boundaries.request[b] ?? 0;
  });
  cache.set(columns.boundaries, membership);
  return membership;
}

/** Visits every row that left the recorded context, with the boundary that dropped it, in the order of the boundaries. */
export function eachDroppedRow(columns: SessionColumns, visit: (row: ItemIndex, boundary: number) => void): void {
  // The context consists of the rows that the last boundary kept, and of all rows from `newer` on.
  let keptBefore: readonly ItemIndex[] = [];
  let newer = columns.overheadRows;
  for (let b = 0; b < columns.boundaries.length; b++) {
    if (columns.boundaries.kind[b] === BOUNDARY.clearing) continue;
    const kept = Array.from(raggedRow(columns.boundaries.kept, b));
    const end = columns.boundaries.item[b] ?? 0;
    const stays = new Set(kept);
    for (const row of keptBefore) if (!stays.has(row)) visit(row, b);
    for (let row = newer; row < end; row++) if (!stays.has(row)) visit(row, b);
    keptBefore = kept;
    newer = Math.max(newer, end);
  }
}

/** Request with which each row was first sent; the number of request points for rows after the last request. */
export function entryColumn(columns: SessionColumns): Int32Array {
  const entered = new Int32Array(columns.length);
  const points = pointCount(columns);
  let point = 0;
  for (let row = columns.overheadRows; row < columns.length; row++) {
    while (point < points && pointEnd(columns, point) <= row) point += 1;
    entered[row] = point;
  }
  return entered;
}

/**
 * Tokens of the placeholder for a cleared result. Our choice: the usual text is `[Old tool result content cleared]`, with 33 characters, and 33 / 4
 * rounds up to 9.
 */
export const CLEARED_TOKENS = 9;

/** Tokens of a member at a request: the row's size, or the placeholder's once it is cleared. */
export function tokensAt(membership: Membership, tokens: Int32Array, row: number, request: RequestIndex): Tokens {
  const size = tokens[row] ?? 0;
  return (membership.cleared[row] ?? NEVER) <= request ? Math.min(size, CLEARED_TOKENS) : size;
}

/**
 * Sums over the members at every request point, one column per group: row r counts into `sums[group(r)]`. Linear in rows: each row is added at the
 * point where it enters and subtracted where it is dropped or cleared.
 */
export function memberSums(
  columns: SessionColumns,
  tokens: Int32Array,
  membership: Membership,
  groups: number,
  group: (row: number) => number,
): Int32Array[] {
  const points = pointCount(columns);
  const sums = Array.from({ length: groups }, () => new Int32Array(points + 1));
  for (let row = 0; row < columns.length; row++) {
    const entered = membership.entered[row] ?? NEVER;
    const dropped = membership.dropped[row] ?? NEVER;
    const sum = sums[group(row)];
    if (sum === undefined || entered >= points || dropped <= entered) continue;
    const size = tokens[row] ?? 0;
    const cleared = Math.max(entered, membership.cleared[row] ?? NEVER);
    // A dropped row subtracts its last size: the placeholder's if it was cleared before.
    const lastSize = cleared < Math.min(dropped, points) ? Math.min(size, CLEARED_TOKENS) : size;
    sum[entered] = (sum[entered] ?? 0) + size;
    if (lastSize !== size) sum[cleared] = (sum[cleared] ?? 0) - (size - lastSize);
    if (dropped < points) sum[dropped] = (sum[dropped] ?? 0) - lastSize;
  }
  // Each point holds only its change so far; add the running sum.
  for (const sum of sums)
    for (let point = 1; point < points; point++) sum[point] = (sum[point] ?? 0) + (sum[point - 1] ?? 0);
  return sums.map((sum) => sum.subarray(0, points));
}
