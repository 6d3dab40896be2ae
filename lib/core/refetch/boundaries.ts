import type { ItemIndex, RequestIndex } from "../base/units";
import { BOUNDARY, FLAG, KIND, ORIGIN, type SessionColumns } from "../columns/columns";
import { NEVER } from "../columns/membership";
import { pointEnd } from "../columns/points";
import { raggedRow } from "../columns/ragged";
import type { Outcome } from "../compaction/policy/policy";
import type { Replay } from "../compaction/replay";
import { trajectoryOf } from "../compaction/simulation/trajectory";

/** What a boundary did with the items of the context, as rows of the columns. */
export interface RefetchBoundary {
  /**
   * A need counts up to the next `compaction`. A `clearing` takes single items, as trimming does: what it took may be needed until then. What a person
   * takes back in a `rollback` leaves the context, but is not missed.
   */
  readonly kind: "compaction" | "clearing" | "rollback";
  /** The request point before which it happened. */
  readonly request: RequestIndex;
  /** Left the context with it, ascending. */
  readonly dropped: readonly ItemIndex[];
  /** Stayed; not told of a simulated boundary. */
  readonly kept: readonly ItemIndex[];
  /** The summary, and what the agent put back beside it: rows after the boundary. */
  readonly carried: readonly ItemIndex[];
  /** Dropped rows whose content a simulated compaction attached again. */
  readonly attached: readonly ItemIndex[];
  /** First row after it. */
  readonly from: ItemIndex;
}

/** The recorded compactions and what was taken back. What a clearing took counts with the compaction that follows it. */
export function recordedRefetchBoundaries(columns: SessionColumns): readonly RefetchBoundary[] {
  const { boundaries } = columns;
  const found: RefetchBoundary[] = [];
  let context: readonly ItemIndex[] = [];
  let newer = columns.overheadRows;
  for (let b = 0; b < boundaries.length; b++) {
    if (boundaries.kind[b] === BOUNDARY.clearing) continue;
    const from = Math.max(newer, boundaries.item[b] ?? 0);
    const kept = Array.from(raggedRow(boundaries.kept, b));
    const stays = new Set(kept);
    const rows = [...context, ...rowsBetween(newer, from)];
    const isCompaction = boundaries.kind[b] === BOUNDARY.compaction;
    found.push({
      kind: isCompaction ? "compaction" : "rollback",
      request: boundaries.request[b] ?? 0,
      dropped: rows.filter((row) => !stays.has(row)),
      kept,
      carried: isCompaction ? carriedAfter(columns, from) : [],
      attached: [],
      from,
    });
    [context, newer] = [kept, from];
  }
  return found;
}

/** What the record of a boundary, or the agent right after it, put back: the summary, attachments, copies of earlier messages. */
function carriedAfter(columns: SessionColumns, from: ItemIndex): readonly ItemIndex[] {
  const carried: ItemIndex[] = [];
  for (let row = from; row < columns.length; row++) {
    const isOnly = isRecordedOnly(columns, row);
    if (columns.origin[row] === ORIGIN.response && !isOnly) break;
    if (isOnly || columns.origin[row] === ORIGIN.summary) carried.push(row);
  }
  return carried;
}

/** Whether a row is no part of what a replay re-runs. */
export function isRecordedOnly(columns: SessionColumns, row: ItemIndex): boolean {
  return ((columns.flags[row] ?? 0) & FLAG.RECORDED_ONLY) !== 0;
}

/** Outcomes that take single items and leave the rest as it was. */
const TAKES_ITEMS: ReadonlySet<Outcome> = new Set(["clear", "trim"]);

/** What a replay dropped or cleared, and what was taken back in the recording. The texts of its summaries do not exist. */
export function simulatedRefetchBoundaries(columns: SessionColumns, run: Replay): readonly RefetchBoundary[] {
  const { takenBack } = trajectoryOf(columns);
  if (run.compactions.length === 0 && takenBack.size === 0) return [];
  const { gone, taken } = takenRows(columns, run, takenBack);
  const boundary = (kind: RefetchBoundary["kind"], request: RequestIndex, dropped: readonly ItemIndex[]) => {
    return { kind, request, dropped, kept: [], carried: [], attached: [], from: pointEnd(columns, request) };
  };
  const found: RefetchBoundary[] = Array.from(taken, ([request, rows]) => boundary("rollback", request, rows));
  for (const { request, outcome, added } of run.compactions) {
    const rows = gone[request] ?? [];
    if (TAKES_ITEMS.has(outcome)) found.push(boundary("clearing", request, rows));
    else {
      const files = new Set(added.flatMap((item) => item.files ?? []).filter((file) => typeof file === "string"));
      found.push({ ...boundary("compaction", request, rows), attached: lastResults(columns, rows, files) });
    }
  }
  return found.sort((a, b) => a.request - b.request);
}

/** The rows that the compaction before each request took, and those that were taken back there. This runs for every row of every replay. */
function takenRows(columns: SessionColumns, run: Replay, takenBack: ReturnType<typeof trajectoryOf>["takenBack"]) {
  const { dropped: droppedAt, cleared: clearedAt, entered } = run;
  const back = new Set([...takenBack.values()].flat());
  const taken = new Map<RequestIndex, ItemIndex[]>();
  const gone: ItemIndex[][] = [];
  for (const { request } of run.compactions) gone[request] = [];
  for (let row = columns.overheadRows; row < columns.length; row++) {
    const dropped = droppedAt[row] ?? NEVER;
    const cleared = clearedAt[row] ?? NEVER;
    if (cleared < dropped && gone[cleared] !== undefined) gone[cleared]?.push(row);
    else if (dropped !== NEVER && (entered[row] ?? NEVER) <= dropped) {
      const rows = back.has(row) ? listOf(taken, dropped) : gone[dropped];
      rows?.push(row);
    }
  }
  return { gone, taken };
}

function listOf(lists: Map<RequestIndex, ItemIndex[]>, request: RequestIndex): ItemIndex[] {
  const list = lists.get(request) ?? [];
  lists.set(request, list);
  return list;
}

/** The newest dropped result of each of some files, newest first. */
function lastResults(columns: SessionColumns, rows: readonly ItemIndex[], files: Set<string>): readonly ItemIndex[] {
  const last: ItemIndex[] = [];
  for (let at = rows.length - 1; at >= 0 && files.size > 0; at--) {
    const row = rows[at] ?? -1;
    if (columns.kind[row] !== KIND.tool_result) continue;
    if (files.delete(columns.tables.files[columns.file[columns.pair[row] ?? -1] ?? -1] ?? "")) last.push(row);
  }
  return last;
}

function rowsBetween(from: ItemIndex, to: ItemIndex): readonly ItemIndex[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}
