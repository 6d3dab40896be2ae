import { textOf } from "../json";
import { compactionPart, isCompleteSummary, messageId, type SessionMessage } from "./message";

/**
 * The messages that the model sees, in the order in which they are sent: from the newest completed compaction on, the compaction
 * and its summary in front of what was kept. A tail that cannot be found leaves everything as it is.
 * Source: systems/opencode.md §3, "What the model sees afterwards".
 */
export function filterCompacted(messages: readonly SessionMessage[]): readonly SessionMessage[] {
  const completed = new Set<string>();
  let tail: string | undefined;
  let from = messages.length;
  while (from > 0) {
    from -= 1;
    const message = messages[from];
    if (message === undefined) break;
    if (tail !== undefined) {
      if (messageId(message) === tail) break;
      continue;
    }
    const part = completed.has(messageId(message)) ? compactionPart(message) : undefined;
    if (part !== undefined) {
      tail = textOf(part.tail_start_id) || undefined;
      if (tail === undefined || tail === messageId(message)) break;
    }
    if (isCompleteSummary(message)) completed.add(textOf(message.info.parentID));
  }
  return summaryFirst(messages.slice(from), tail);
}

function summaryFirst(messages: readonly SessionMessage[], tail: string | undefined): readonly SessionMessage[] {
  const start = messages.findIndex((message) => messageId(message) === tail);
  const at = messages.findLastIndex((message) => textOf(compactionPart(message)?.tail_start_id) === tail);
  const compaction = messages[at];
  if (tail === undefined || start < 0 || compaction === undefined || start >= at) return messages;
  const summary = messages.findIndex(
    (message, index) => index > at && message.info.summary === true && message.info.parentID === messageId(compaction),
  );
  const found = messages[summary];
  if (found === undefined) return messages;
  return [compaction, found, ...messages.filter((message) => message !== compaction && message !== found)];
}
