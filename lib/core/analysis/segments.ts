import { range } from "../base/numbers";
import type { ItemIndex, RequestIndex } from "../base/units";
import { boundariesOf, FLAG, KIND, ORIGIN, type SessionColumns, TRIGGER } from "../columns/columns";
import type { CountedColumns } from "../columns/counted";
import { type GatheredPoint, gatherColumns, gatherRows } from "../columns/gather";
import { pointEnd } from "../columns/points";
import { raggedRow } from "../columns/ragged";

/** A stretch of a recording from one recorded compaction to the next, as a recording of its own. */
export interface Segment extends CountedColumns {
  /** The recording's request at the segment's point 0. */
  readonly from: RequestIndex;
  /** Row of the boundary that ends it; `undefined` for the last segment. */
  readonly boundary: number | undefined;
  /**
   * True if the boundary that ends it lies between two turns. A policy that compacts between turns is then called at the last point, after the
   * finished run and without the next user message.
   */
  readonly runEnded: boolean;
}

/**
 * The segments of a recording: from its start, and from every recorded compaction, to the next one.
 *
 * A segment begins with the state after the compaction (kept items, the summary, re-attached copies). It ends with the request before which the next
 * compaction happened, as that request would have been without it. Nothing after that boundary belongs to the segment, because the agent's work after
 * a compaction (reading files again) is a consequence of it. Before a manual compaction the segment ends one request earlier, since no policy ran
 * there.
 */
export function segmentsOf({ columns, tokens }: CountedColumns): readonly Segment[] {
  const compactions = boundariesOf(columns, "compaction");
  return [...compactions, undefined].map((end, index) => {
    const span = { start: compactions[index - 1], end };
    const rows = rowsOf(columns, span);
    return {
      columns: gatherColumns(columns, {
        rows,
        points: pointsOf(columns, span),
        boundaries: boundariesWithin(columns, span),
        clearedFlags: FLAG.RECORDED_ONLY,
      }),
      tokens: gatherRows(tokens, rows),
      from: requestOf(columns, span.start) ?? 0,
      boundary: end,
      runEnded: end !== undefined && !isManual(columns, end) && runEnded(columns, end),
    };
  });
}

/** True if a person requested the compaction, which no policy predicts. */
export function isManual(columns: SessionColumns, boundary: number): boolean {
  return columns.boundaries.trigger[boundary] === TRIGGER.manual;
}

/** Boundary rows of the compactions around a segment; `undefined` at the recording's ends. */
interface Span {
  readonly start: number | undefined;
  readonly end: number | undefined;
}

function requestOf(columns: SessionColumns, boundary: number | undefined): RequestIndex | undefined {
  return boundary === undefined ? undefined : columns.boundaries.request[boundary];
}

function pointsOf(columns: SessionColumns, { start, end }: Span): readonly GatheredPoint[] {
  const { requests } = columns;
  const boundary = requestOf(columns, end) ?? requests.length;
  const points: GatheredPoint[] = [];
  for (let request = requestOf(columns, start) ?? 0; request < boundary; request++) {
    points.push({ request, firstItem: requests.firstItem[request] ?? columns.length, usage: true });
  }
  if (end !== undefined && !isManual(columns, end)) {
    // That request's usage measures the compacted context, so it is not used. At the end of a file there is no such request at all.
    points.push({ request: boundary, firstItem: columns.boundaries.item[end] ?? columns.length, usage: false });
  }
  return points;
}

/**
 * True if the run before a boundary had ended there: the next item sent is a user message, or the file ends with the boundary after a response that
 * called no tool.
 */
function runEnded(columns: SessionColumns, boundary: number): boolean {
  const { item, request } = columns.boundaries;
  const [next, point] = [item[boundary] ?? columns.length, request[boundary] ?? 0];
  const behind = range(next, pointEnd(columns, point));
  if (behind.some((row) => ((columns.flags[row] ?? 0) & FLAG.TURN_START) !== 0)) return true;
  if (point === 0 || point < columns.requests.length) return false;
  return range(pointEnd(columns, point - 1), next).every(
    (row) => columns.kind[row] !== KIND.tool_call && columns.origin[row] !== ORIGIN.tool,
  );
}

/** The overhead, the items that the compaction at the start kept, and all items from there to the boundary at the end. */
function rowsOf(columns: SessionColumns, { start, end }: Span): readonly ItemIndex[] {
  const rows = range(0, columns.overheadRows);
  const kept = start === undefined ? [] : Array.from(raggedRow(columns.boundaries.kept, start)).sort((a, b) => a - b);
  const from = start === undefined ? columns.overheadRows : (columns.boundaries.item[start] ?? columns.length);
  const to = end === undefined ? columns.length : (columns.boundaries.item[end] ?? columns.length);
  return [...rows, ...kept, ...range(from, to)];
}

/** The clearings and rollbacks between the two compactions. */
function boundariesWithin(columns: SessionColumns, { start = -1, end = columns.boundaries.length }: Span): number[] {
  return range(start + 1, end);
}
