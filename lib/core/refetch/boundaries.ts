import type { ItemIndex, RequestIndex } from "../base/units";
import { BOUNDARY, FLAG, KIND, ORIGIN, type SessionColumns } from "../columns/columns";
import { NEVER } from "../columns/membership";
import { pointEnd } from "../columns/points";
import { raggedRow } from "../columns/ragged";
import type { Outcome } from "../compaction/policy/policy";
import type { Replay } from "../compaction/replay";
import { trajectoryOf } from "../compaction/simulation/trajectory";

/** Effect of a boundary on the items of the context, as rows of the columns. */
export interface RefetchBoundary {
  /**
   * Re-fetches count up to the next `compaction`. A `clearing` removes single items, as trimming does, and these may be re-fetched until then. Items
   * removed by a `rollback` leave the context but do not count as missing.
   */
  readonly kind: "compaction" | "clearing" | "rollback";
  /** The request point before which it happened. */
  readonly request: RequestIndex;
  /** Rows that left the context with it, ascending. */
  readonly dropped: readonly ItemIndex[];
  /** Kept rows; unknown for a simulated boundary. */
  readonly kept: readonly ItemIndex[];
  /** The summary and the items that the agent re-attached with it: rows after the boundary. */
  readonly carried: readonly ItemIndex[];
  /** Dropped rows whose content a simulated compaction re-attached. */
  readonly attached: readonly ItemIndex[];
  /** First row after it. */
  readonly from: ItemIndex;
}

/** The recorded compactions and rollbacks. Items of a clearing count with the compaction that follows it. */
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

/** The items that the record of a boundary, or the agent right after it, put back: the summary, attachments, copies of earlier messages. */
function carriedAfter(columns: SessionColumns, from: ItemIndex): readonly ItemIndex[] {
  const carried: ItemIndex[] = [];
  for (let row = from; row < columns.length; row++) {
    const isOnly = isRecordedOnly(columns, row);
    if (columns.origin[row] === ORIGIN.response && !isOnly) break;
    if (isOnly || columns.origin[row] === ORIGIN.summary) carried.push(row);
  }
  return carried;
}

/** True for a row that a replay does not re-run. */
export function isRecordedOnly(columns: SessionColumns, row: ItemIndex): boolean {
  return ((columns.flags[row] ?? 0) & FLAG.RECORDED_ONLY) !== 0;
}

/** Outcomes that remove single items and leave the rest unchanged. */
const TAKES_ITEMS: ReadonlySet<Outcome> = new Set(["clear", "trim"]);

/** The boundaries of a replay: dropped or cleared items, and the rollbacks of the recording. Simulated summaries have no text. */
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

/** Rows removed by the compaction before each request, and by rollbacks there. This runs for every row of every replay. */
function takenRows(columns: SessionColumns, run: Replay, takenBack: ReturnType<typeof trajectoryOf>["takenBack"]) {
  const { dropped: droppedAt, cleared: clearedAt, entered } = run;
  const back = new Map(Array.from(takenBack, ([request, rows]) => rows.map((row) => [row, request] as const)).flat());
  const taken = new Map<RequestIndex, ItemIndex[]>();
  const gone: ItemIndex[][] = [];
  for (const { request } of run.compactions) gone[request] = [];
  for (let row = columns.overheadRows; row < columns.length; row++) {
    const dropped = droppedAt[row] ?? NEVER;
    const cleared = clearedAt[row] ?? NEVER;
    if (cleared < dropped && gone[cleared] !== undefined) gone[cleared]?.push(row);
    else if (dropped !== NEVER && (entered[row] ?? NEVER) <= dropped) {
      const rows = back.get(row) === dropped ? listOf(taken, dropped) : gone[dropped];
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
