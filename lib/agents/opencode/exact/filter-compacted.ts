import { textOf } from "../../json";
import { compactionPart, isCompleteSummary, messageId, type SessionMessage } from "../messages/message";

/**
 * The messages that the model sees, in the order in which they are sent: first the newest completed compaction and its summary, then what was
 * kept. Where the tail cannot be found, everything stays as it is. Source: README.md, "What is sent afterwards".
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
  return summaryFirst(messages.slice(from));
}

/**
 * Moves the newest compaction with a tail, whatever its outcome, and everything up to its summary before the tail. Source: opencode 1.18.15,
 * `filterCompacted` in `session/message-v2.ts`.
 */
function summaryFirst(messages: readonly SessionMessage[]): readonly SessionMessage[] {
  const at = messages.findLastIndex((message) => compactionPart(message)?.tail_start_id !== undefined);
  const compaction = messages[at];
  if (compaction === undefined) return messages;
  const [id, tail] = [messageId(compaction), textOf(compactionPart(compaction)?.tail_start_id)];
  const summary = messages.findIndex(
    ({ info }, index) => index > at && info.role === "assistant" && Boolean(info.summary) && info.parentID === id,
  );
  const start = tail === "" ? -1 : messages.findIndex((message) => messageId(message) === tail);
  if (start < 0 || start >= at || summary < 0) return messages;
  return [...messages.slice(at, summary + 1), ...messages.slice(start, at), ...messages.slice(summary + 1)];
}
