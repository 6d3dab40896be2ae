import type { ItemIndex, RequestIndex } from "../../base/units";
import { BOUNDARY, boundariesOf, FLAG, KIND, ORIGIN, type SessionColumns } from "../../columns/columns";
import { eachDroppedRow, entryColumn, NEVER } from "../../columns/membership";
import { pointCount, pointEnd } from "../../columns/points";
import { raggedRow } from "../../columns/ragged";
import { type BlankColumns, blankColumns } from "./blank-columns";

/**
 * The items that a replay re-runs, in order: the whole recording except items that a recorded compaction added. Computed once per session and reused
 * while a slider moves.
 */
export interface Trajectory {
  readonly items: Int32Array;
  /** By request point, the number of trajectory items sent with it or earlier. */
  readonly end: Int32Array;
  /** By request point, the trajectory position after the last item of its response. */
  readonly responseEnd: Int32Array;
  /** 1 if a typed message is between the last response and this request. */
  readonly turnStart: Uint8Array;
  readonly entered: Int32Array;
  /** Items that the user took back before each request: they leave a simulated context as they left the recorded one. */
  readonly takenBack: ReadonlyMap<RequestIndex, readonly ItemIndex[]>;
  /** Requests before which nothing stayed of the recorded context, as after a `/clear`: simulated summaries leave too. */
  readonly emptied: ReadonlySet<RequestIndex>;
  /** Results that the recording's agent cleared before each request, in all its clearings. */
  readonly clearedBefore: ReadonlyMap<RequestIndex, readonly ItemIndex[]>;
  /** The tool results among the items. */
  readonly results: Int32Array;
  /** All results of calls with more than one; `columns.pair` holds only the first. */
  readonly moreResults: ReadonlyMap<ItemIndex, readonly ItemIndex[]>;
  readonly openCalls: OpenCalls;
  /** The initial state of the columns that a replay writes. */
  readonly blank: BlankColumns;
}

const cache = new WeakMap<SessionColumns["requests"], Trajectory>();

export function trajectoryOf(columns: SessionColumns): Trajectory {
  const known = cache.get(columns.requests);
  if (known !== undefined) return known;
  const items = trajectoryItems(columns);
  const points = pointCount(columns);
  const end = new Int32Array(points);
  const responseEnd = new Int32Array(points);
  const turnStart = new Uint8Array(points);
  let position = 0;
  for (let point = 0; point < points; point++) {
    const limit = pointEnd(columns, point);
    for (; position < items.length && (items[position] ?? 0) < limit; position++) {
      if (((columns.flags[items[position] ?? 0] ?? 0) & FLAG.TURN_START) !== 0) turnStart[point] = 1;
    }
    end[point] = position;
    responseEnd[point] = afterResponse(columns, items, position, pointEnd(columns, point + 1));
  }
  const entered = entryColumn(columns).map((point, row) =>
    ((columns.flags[row] ?? 0) & FLAG.RECORDED_ONLY) !== 0 ? NEVER : point,
  );
  const moreResults = callsOfMoreResults(columns);
  const clearedBefore = clearedItems(columns);
  const results = items.filter((item) => columns.kind[item] === KIND.tool_result);
  const trajectory = {
    items,
    end,
    responseEnd,
    turnStart,
    entered,
    ...takenBackItems(columns),
    clearedBefore,
    results,
    moreResults,
    openCalls: openCalls(columns, moreResults),
    blank: blankColumns(columns),
  };
  cache.set(columns.requests, trajectory);
  return trajectory;
}

function trajectoryItems(columns: SessionColumns): Int32Array {
  const items = new Int32Array(columns.length);
  let length = 0;
  for (let row = columns.overheadRows; row < columns.length; row++) {
    if (((columns.flags[row] ?? 0) & FLAG.RECORDED_ONLY) === 0) items[length++] = row;
  }
  return items.subarray(0, length);
}

/**
 * A compaction drops items too, but a replay keeps those: only a rollback's own items are taken back. They leave too if a rollback keeps nothing.
 */
function takenBackItems(columns: SessionColumns): Pick<Trajectory, "takenBack" | "emptied"> {
  const takenBack = new Map<RequestIndex, ItemIndex[]>();
  const emptied = new Set<RequestIndex>();
  const rollbacks = boundariesOf(columns, "rollback");
  if (rollbacks.length === 0) return { takenBack, emptied };
  const { request, kept } = columns.boundaries;
  const itemsAt = (boundary: number) => takenBack.get(request[boundary] ?? 0);
  for (const boundary of rollbacks) takenBack.set(request[boundary] ?? 0, []);
  const byCompactions: (readonly [boundary: number, row: ItemIndex])[] = [];
  eachDroppedRow(columns, (row, boundary) => {
    if (columns.boundaries.kind[boundary] === BOUNDARY.rollback) itemsAt(boundary)?.push(row);
    else byCompactions.push([boundary, row]);
  });
  let next = 0;
  for (const boundary of rollbacks) {
    if (raggedRow(kept, boundary).length > 0) continue;
    emptied.add(request[boundary] ?? 0);
    for (; (byCompactions[next]?.[0] ?? NEVER) < boundary; next++)
      itemsAt(boundary)?.push(byCompactions[next]?.[1] ?? 0);
  }
  return { takenBack, emptied };
}

function clearedItems(columns: SessionColumns): ReadonlyMap<RequestIndex, readonly ItemIndex[]> {
  const { request: requests, cleared } = columns.boundaries;
  const byRequest = new Map<RequestIndex, ItemIndex[]>();
  for (const boundary of boundariesOf(columns, "clearing")) {
    const request = requests[boundary] ?? 0;
    byRequest.set(request, [...(byRequest.get(request) ?? []), ...raggedRow(cleared, boundary)]);
  }
  return byRequest;
}

function callsOfMoreResults(columns: SessionColumns): ReadonlyMap<ItemIndex, readonly ItemIndex[]> {
  const { kind, pair, length } = columns;
  const more = new Map<ItemIndex, ItemIndex[]>();
  for (let row = columns.overheadRows; row < length; row++) {
    const call = kind[row] === KIND.tool_result ? (pair[row] ?? -1) : -1;
    if (call < 0 || pair[call] === row) continue;
    more.set(call, [...(more.get(call) ?? [pair[call] ?? -1]), row]);
  }
  return more;
}

/** Position after the response that starts at `from`. It ends at `limit`, since the next response may follow at once. */
function afterResponse(columns: SessionColumns, items: Int32Array, from: number, limit: number): number {
  let position = from;
  while (position < items.length) {
    const row = items[position] ?? 0;
    if (row >= limit || columns.origin[row] !== ORIGIN.response) break;
    position += 1;
  }
  return position;
}

const NONE: readonly never[] = [];

/** Calls with results after a row. If a range of items leaves, only these calls may leave a result without its call. */
interface OpenCalls {
  /** For every row, the earliest call at or before it that has a result after it; `NEVER` if there is none. */
  readonly earliest: Int32Array;
  /** True if some result precedes its call: then the results of a call may be anywhere. */
  readonly hasEarlyResults: boolean;
}

/** @param moreResults all results of calls with more than one, since `columns.pair` holds only the first */
export function openCalls(
  columns: SessionColumns,
  moreResults: ReadonlyMap<ItemIndex, readonly ItemIndex[]>,
): OpenCalls {
  const { kind, pair, length, overheadRows } = columns;
  const earliest = new Int32Array(length).fill(NEVER);
  // The calls in order, and the last result of each. No call before `first` has a result after the current row.
  const [calls, last]: [ItemIndex[], ItemIndex[]] = [[], []];
  let first = 0;
  let hasEarlyResults = false;
  for (let row = overheadRows; row < length; row++) {
    if (kind[row] === KIND.tool_call) {
      const results = [pair[row] ?? -1, ...(moreResults.get(row) ?? NONE)];
      hasEarlyResults ||= results.some((result) => result >= 0 && result < row);
      calls.push(row);
      last.push(results.reduce((most, result) => Math.max(most, result), -1));
    }
    while (first < calls.length && (last[first] ?? -1) <= row) first += 1;
    earliest[row] = calls[first] ?? NEVER;
  }
  return { earliest, hasEarlyResults };
}
