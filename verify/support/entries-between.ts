import type { LoadedRecording } from "./loaded-recording";
import { readRecords } from "./read";

/** Types of a session's own records that add nothing to the context. */
const METADATA = new Set(["label", "session_info", "custom", "model_change", "thinking_level_change"]);

/**
 * Labels and similar entries in a file of the agent's own format, keyed by the message that follows them; empty for files of other formats.
 * @param entryOf makes an entry of a record
 */
export function entriesBetween<Entry>(
  { source, format, transcript }: LoadedRecording,
  own: string,
  entryOf: (record: Readonly<Record<string, unknown>>) => Entry,
): ReadonlyMap<number, readonly Entry[]> {
  const between = new Map<number, readonly Entry[]>();
  if (format !== own || source === undefined) return between;
  const messages = new Map(transcript.messages.map(({ blocks }, index) => [blocks[0]?.source.offset, index]));
  let waiting: Entry[] = [];
  for (const { offset, value } of readRecords(source.bytes())) {
    if (METADATA.has(String(value.type))) waiting.push(entryOf(value));
    const message = messages.get(offset);
    if (message === undefined) continue;
    between.set(message, waiting);
    waiting = [];
  }
  return between;
}
