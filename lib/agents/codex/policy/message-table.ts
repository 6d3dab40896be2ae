import type { Bytes, ItemIndex, Tokens } from "@/lib/core/base/units";
import { FLAG, KIND, ORIGIN, type SessionColumns } from "@/lib/core/columns/columns";
import { costOf, type Selection } from "./message-budget";

/** Marks a row that belongs to no user message. */
export const NO_MESSAGE = -1;
/** Marks an item of the initial context, which every compaction keeps. */
export const INITIAL = -2;

/** The user messages of a recording under a selection, cached while a slider moves. */
export interface MessageTable {
  /** For each row the number of its user message, or `NO_MESSAGE` or `INITIAL`. */
  readonly of: Int32Array;
  /** The tokens of the budget that each message takes. */
  readonly cost: readonly Tokens[];
  /** 1 for messages whose shape a compaction does not change. */
  readonly isPlain: readonly number[];
}

const tables = new WeakMap<SessionColumns, Map<string, MessageTable>>();

/** The table under a selection, built at the first call. */
export function messageTable(columns: SessionColumns, selection: Selection): MessageTable {
  const known = tables.get(columns) ?? new Map<string, MessageTable>();
  tables.set(columns, known);
  const key = `${selection.remote} ${selection.withIds} ${selection.bit}`;
  const table = known.get(key) ?? makeTable(columns, selection);
  known.set(key, table);
  return table;
}

function makeTable(columns: SessionColumns, selection: Selection): MessageTable {
  const of = new Int32Array(columns.length).fill(NO_MESSAGE);
  const messages: { index: number; bytes: Bytes[]; images: number }[] = [];
  for (let row = columns.overheadRows; row < columns.length; row++) {
    if (((columns.flags[row] ?? 0) & FLAG.INITIAL_CONTEXT) !== 0) of[row] = INITIAL;
    else if (isKept(columns, row, selection.bit)) {
      const index = columns.message[row] ?? -1;
      if (messages.at(-1)?.index !== index) messages.push({ index, bytes: [], images: 0 });
      const last = messages.at(-1);
      if (columns.kind[row] === KIND.image && last !== undefined) last.images += 1;
      else last?.bytes.push(columns.bytes[row] ?? 0);
      of[row] = messages.length - 1;
    }
  }
  return {
    of,
    cost: messages.map(({ bytes }) => costOf(bytes, selection)),
    isPlain: messages.map(({ bytes, images }) => (isPlain(selection, bytes.length, images) ? 1 : 0)),
  };
}

/** True if a compaction does not change the message's shape. Local compaction rewrites messages: with one text, without images or an id. */
function isPlain({ remote, withIds }: Selection, texts: number, images: number): boolean {
  return remote || (!withIds && texts === 1 && images === 0);
}

/** Without the measure, typed messages count as kept. */
function isKept(columns: SessionColumns, item: ItemIndex, bit: number): boolean {
  const retained = columns.measures["codex.retained"];
  return retained === undefined ? columns.origin[item] === ORIGIN.typed : ((retained[item] ?? 0) & bit) !== 0;
}
