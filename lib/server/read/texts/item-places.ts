import { ColumnBuffer } from "@/lib/core/base/column-buffer";
import type { Bytes } from "@/lib/core/base/units";
import { KINDS, ROLES, type SessionColumns } from "@/lib/core/columns/columns";
import type { BlockSource, Transcript } from "@/lib/core/transcript/model";
import type { ItemText } from "@/lib/queries/contract/schemas";
import type { TextSource } from "./record-loader";

/**
 * Positions in the file of every row's text: with this, any thread can load texts without reading the file. It holds no objects, so that it passes
 * quickly from thread to thread.
 */
export interface ItemPlaces {
  /** Offset of the record that holds the text. */
  readonly offset: Float64Array<ArrayBuffer>;
  /** Length of that record; 0 if the row has no text. */
  readonly length: Int32Array<ArrayBuffer>;
  /** Index among the record's texts. */
  readonly part: Int32Array<ArrayBuffer>;
  /** Index into `callIds` of the call that links the row to another one; −1 for none. */
  readonly call: Int32Array<ArrayBuffer>;
  /** The ids of calls, concatenated, and where each of them ends. */
  readonly callIds: string;
  readonly callIdEnd: Int32Array<ArrayBuffer>;
}

/** An item whose text is to be loaded. */
export interface PlacedItem extends Pick<ItemText, "role" | "kind" | "callId"> {
  /** `null` for inferred overhead, and for empty texts. */
  readonly source: TextSource | null;
}

/** The places of a transcript's texts, in the order of the rows of its columns. */
export function itemPlaces({ overhead, list: { blocks } }: Transcript): ItemPlaces {
  const overheadRows = overhead.length + 1;
  const room = new ColumnBuffer(overheadRows + blocks.length, { floats: 1, integers: 3 });
  const places = {
    offset: room.floats(),
    length: room.integers(),
    part: room.integers(),
    call: room.integers(),
    ...joined(blocks.callIds),
  };
  places.call.fill(-1, 0, overheadRows);
  places.call.set(blocks.callId.subarray(0, blocks.length), overheadRows);
  const place = (row: number, chars: number, { offset, length, part }: BlockSource): void => {
    if (chars === 0) return;
    places.offset[row] = offset;
    places.length[row] = length;
    places.part[row] = part;
  };
  for (const [row, { text, source }] of overhead.entries()) place(row, text.chars, source);
  const { chars } = blocks;
  for (let row = 0; row < blocks.length; row++) place(overheadRows + row, chars[row] ?? 0, blocks.source(row));
  return places;
}

/** Places without any row. */
export const NO_PLACES: ItemPlaces = {
  offset: new Float64Array(0),
  length: new Int32Array(0),
  part: new Int32Array(0),
  call: new Int32Array(0),
  ...joined([]),
};

/** The rows of a half-open range; rows beyond the last are omitted. */
export function placedItems(
  { role, kind, length }: Pick<SessionColumns, "role" | "kind" | "length">,
  places: ItemPlaces,
  { from, to }: { readonly from: number; readonly to: number },
): PlacedItem[] {
  return Array.from({ length: Math.max(0, Math.min(to, length) - from) }, (_, at) => {
    const row = from + at;
    return {
      role: ROLES[role[row] ?? 0] ?? "system",
      kind: KINDS[kind[row] ?? 0] ?? "text",
      callId: callIdOf(places, row),
      source: sourceOf(places, row),
    };
  });
}

export function placesMemory({ offset, callIdEnd }: ItemPlaces): ArrayBuffer[] {
  return [offset.buffer, callIdEnd.buffer];
}

/** The memory that places take, in bytes. */
export function placesBytes({ callIds, ...numbers }: ItemPlaces): Bytes {
  return Object.values(numbers).reduce((sum, { byteLength }) => sum + byteLength, callIds.length);
}

function sourceOf({ offset, length, part }: ItemPlaces, row: number): TextSource | null {
  const bytes = length[row] ?? 0;
  return bytes === 0 ? null : { offset: offset[row] ?? 0, length: bytes, part: part[row] ?? 0 };
}

function callIdOf({ call, callIds, callIdEnd }: ItemPlaces, row: number): string | null {
  const id = call[row] ?? -1;
  if (id < 0) return null;
  return callIds.slice(id === 0 ? 0 : callIdEnd[id - 1], callIdEnd[id]);
}

function joined(ids: readonly string[]): Pick<ItemPlaces, "callIds" | "callIdEnd"> {
  const callIdEnd = new Int32Array(ids.length);
  let end = 0;
  for (const [index, id] of ids.entries()) {
    end += id.length;
    callIdEnd[index] = end;
  }
  return { callIds: ids.join(""), callIdEnd };
}
