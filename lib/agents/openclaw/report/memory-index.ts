import type { Bytes, LineNumber, Milliseconds } from "@/lib/core/base/units";
import type { SessionColumns } from "@/lib/core/columns/columns";

/** Where the memory index would have taken in the session. Source: README.md, "Session store". */

const SYNC_BYTES: Bytes = 100_000;
const SYNC_MESSAGES = 50;
const SYNC_DEBOUNCE: Milliseconds = 5_000;

export interface IndexSync {
  /** The last line that it took in. */
  readonly line: LineNumber;
  /** When it took them in; NaN where the records have no time. */
  readonly at: Milliseconds;
  /** How much was pending. */
  readonly bytes: Bytes;
  readonly messages: number;
}

/** A record of the session file: how many bytes of the file end with it, and its line. */
interface Appended {
  readonly end: Bytes;
  readonly line: LineNumber;
  readonly at: Milliseconds;
}

/**
 * Five seconds after a first change, everything written since then is looked at: from 100,000 bytes or 50 lines on, the session is synced, and
 * only these thresholds are subtracted from what is pending.
 */
export function memoryIndexSyncs(columns: SessionColumns): readonly IndexSync[] {
  const syncs: IndexSync[] = [];
  let seen: Appended = { end: 0, line: 0, at: Number.NaN };
  let [bytes, messages] = [0, 0];
  for (const { last, at } of batches(recordsOf(columns))) {
    bytes += last.end - seen.end;
    messages += last.line - seen.line;
    seen = last;
    if (bytes < SYNC_BYTES && messages < SYNC_MESSAGES) continue;
    syncs.push({ line: last.line, at, bytes, messages });
    bytes = Math.max(0, bytes - SYNC_BYTES);
    messages = Math.max(0, messages - SYNC_MESSAGES);
  }
  return syncs;
}

/** Groups records by the moment when they are looked at; without times, each record is a group. */
function* batches(records: readonly Appended[]): Generator<{ readonly last: Appended; readonly at: Milliseconds }> {
  let last: Appended | undefined;
  let due = Number.NaN;
  for (const record of records) {
    if (last !== undefined && !(record.at < due)) {
      yield { last, at: due };
      due = Number.NaN;
    }
    if (Number.isNaN(due)) due = record.at + SYNC_DEBOUNCE;
    last = record;
  }
  if (last !== undefined) yield { last, at: due };
}

/** The records in the order of the file, one for each line. */
function recordsOf(columns: SessionColumns): readonly Appended[] {
  const ends = columns.measures["openclaw.fileEnd"];
  const byLine = new Map<LineNumber, Appended>();
  for (let row = columns.overheadRows; row < columns.length; row++) {
    const line = columns.line[row] ?? 0;
    const end = ends?.[row] ?? 0;
    if (end > 0) byLine.set(line, { end, line, at: columns.at[row] ?? Number.NaN });
  }
  return [...byLine.values()].sort((a, b) => a.end - b.end);
}
