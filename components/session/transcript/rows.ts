/** One row of the transcript list: an item of the columns, or a boundary that stands between two items. */
export type TranscriptRow =
  | { readonly type: "item"; readonly item: number }
  | { readonly type: "recorded"; readonly boundary: number }
  | { readonly type: "simulated"; readonly compaction: number };

/** A boundary and the item that it stands before. */
interface Insert {
  readonly before: number;
  readonly row: TranscriptRow;
}

/** The list as a function of the index: twenty thousand items need no twenty thousand objects while a slider moves. */
export interface TranscriptRows {
  readonly length: number;
  readonly at: (index: number) => TranscriptRow;
  readonly indexOfItem: (item: number) => number;
  readonly indexOfBoundary: (type: "recorded" | "simulated", ordinal: number) => number;
  readonly keyOf: (index: number) => string;
}

/**
 * Items in file order with the boundaries inline.
 * @param recorded for every recorded boundary the first item after it
 * @param simulated for every simulated compaction the first item of the response of its request
 */
export function transcriptRows(
  items: number,
  recorded: ArrayLike<number>,
  simulated: ArrayLike<number>,
): TranscriptRows {
  const inserts: Insert[] = [
    ...Array.from(recorded, (before, boundary) => ({ before, row: { type: "recorded", boundary } as const })),
    ...Array.from(simulated, (before, compaction) => ({ before, row: { type: "simulated", compaction } as const })),
  ].sort((a, b) => a.before - b.before);
  const indexOfInsert = (ordinal: number): number => (inserts[ordinal]?.before ?? items) + ordinal;
  const at = (index: number): TranscriptRow => {
    const passed = partition(inserts.length, (ordinal) => indexOfInsert(ordinal) <= index);
    const insert = inserts[passed - 1];
    if (insert !== undefined && indexOfInsert(passed - 1) === index) return insert.row;
    return { type: "item", item: index - passed };
  };
  return {
    length: items + inserts.length,
    at,
    indexOfItem: (item) => item + partition(inserts.length, (ordinal) => (inserts[ordinal]?.before ?? 0) <= item),
    indexOfBoundary: (type, wanted) => indexOfInsert(inserts.findIndex(({ row }) => isBoundary(row, type, wanted))),
    keyOf: (index) => rowKey(at(index)),
  };
}

function isBoundary(row: TranscriptRow, type: "recorded" | "simulated", ordinal: number): boolean {
  return row.type === type && (row.type === "recorded" ? row.boundary : row.compaction) === ordinal;
}

function rowKey(row: TranscriptRow): string {
  if (row.type === "item") return `i${row.item}`;
  return row.type === "recorded" ? `r${row.boundary}` : `s${row.compaction}`;
}

/** How many of the first `length` ordinals satisfy a condition that holds up to some point and never after. */
function partition(length: number, holds: (ordinal: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
