import { lowerBound } from "../base/lower-bound";
import { range } from "../base/numbers";
import { BLOCK } from "../transcript/block-list";
import type { Transcript } from "../transcript/model";
import { BOUNDARY_KINDS, type BoundaryColumns, type RequestColumns, TRIGGERS } from "./columns";
import { RaggedWriter } from "./ragged";

const NONE = -1;

/** Shared by all sessions without boundaries, which are most: making an empty typed array takes as long as making a hundred short ones. */
const NO_BOUNDARIES: BoundaryColumns = {
  length: 0,
  item: new Int32Array(0),
  request: new Int32Array(0),
  line: new Int32Array(0),
  kind: new Uint8Array(0),
  trigger: new Uint8Array(0),
  tokensBefore: new Int32Array(0),
  tokensAfter: new Int32Array(0),
  kept: new RaggedWriter().column(),
  cleared: new RaggedWriter().column(),
};

/** One row per recorded boundary, with the item rows that it kept and cleared. */
export function boundaryColumns(
  transcript: Transcript,
  overheadRows: number,
  requests: RequestColumns,
): BoundaryColumns {
  // A copy, because caches tell sessions apart by the identity of these objects.
  if (transcript.boundaries.length === 0) return { ...NO_BOUNDARIES };
  const kept = new RaggedWriter();
  const cleared = new RaggedWriter();
  const { list, boundaries: rows } = transcript;
  const start = (message: number) => list.firstBlock(message) + overheadRows;
  const results = resultRows(transcript, overheadRows);
  for (const boundary of rows) {
    kept.row(boundary.kept.flatMap((message) => range(start(message), start(message + 1))));
    cleared.row(boundary.clearedCalls.flatMap((call) => results.get(call) ?? []));
  }
  const item = Int32Array.from(rows, (boundary) => start(boundary.message));
  return {
    length: rows.length,
    item,
    // The first request point whose response starts at or after the item; the number of request points if there is none.
    request: item.map((first) => lowerBound(requests.firstItem, first)),
    line: Int32Array.from(rows, (boundary) => boundary.line),
    kind: Uint8Array.from(rows, (boundary) => BOUNDARY_KINDS.indexOf(boundary.kind)),
    trigger: Uint8Array.from(rows, (boundary) => TRIGGERS.indexOf(boundary.toldTrigger ?? boundary.trigger)),
    tokensBefore: Int32Array.from(rows, (boundary) => boundary.tokensBefore ?? -1),
    tokensAfter: Int32Array.from(rows, (boundary) => boundary.tokensAfter ?? -1),
    kept: kept.column(),
    cleared: cleared.column(),
  };
}

/** For every call that some boundary cleared, the rows of its results. */
function resultRows({ list, boundaries }: Transcript, overheadRows: number): ReadonlyMap<string, number[]> {
  const { blocks } = list;
  const rows = new Map<string, number[]>();
  for (const { clearedCalls } of boundaries) for (const call of clearedCalls) rows.set(call, []);
  if (rows.size === 0) return rows;
  for (let block = 0; block < blocks.length; block++) {
    if (blocks.kind[block] !== BLOCK.tool_result) continue;
    rows.get(blocks.callIds[blocks.callId[block] ?? NONE] ?? "")?.push(block + overheadRows);
  }
  return rows;
}
