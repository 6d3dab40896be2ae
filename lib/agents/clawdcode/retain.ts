import type { Share } from "@/lib/core/base/units";
import { isObject } from "./json";
import type { ClawdMessage } from "./message";

/** How many of the newest messages a compaction keeps before orphans are left out. Source: systems/clawdcode.md §4. */
export function retainCount(messages: number, share: Share): number {
  return Math.ceil(messages * share);
}

/** The newest messages of a share; all of them where none is to be kept, as `slice(-0)` is `slice(0)`. */
export function retainCandidates(messages: readonly ClawdMessage[], share: Share): readonly ClawdMessage[] {
  return messages.slice(-retainCount(messages.length, share));
}

/**
 * The messages less the results whose call is not among them, wherever it stands. A result without an id stays, and so does
 * a call without a result.
 */
export function withoutOrphans(messages: readonly ClawdMessage[]): readonly ClawdMessage[] {
  const ids = new Set(messages.flatMap(callIds));
  return messages.filter(({ role, tool_call_id: id }) => role !== "tool" || !id || ids.has(id));
}

function callIds({ role, tool_calls }: ClawdMessage): readonly unknown[] {
  if (role !== "assistant" || !Array.isArray(tool_calls)) return [];
  return tool_calls.flatMap((call) => (isObject(call) && call.id ? [call.id] : []));
}

/** What a compaction keeps. */
export function retained(messages: readonly ClawdMessage[], share: Share): readonly ClawdMessage[] {
  return withoutOrphans(retainCandidates(messages, share));
}

/** Share of the most messages in memory that stay once there are more. */
const MEMORY_KEEP_SHARE = 0.8;

/**
 * The messages in memory after one was added: above `maxSize` the newest four fifths stay, except that a `maxSize` of 1
 * keeps all. Source: systems/clawdcode.md §7, MemoryStore.
 */
export function withinMemory<T>(messages: readonly T[], maxSize: number): readonly T[] {
  return messages.length > maxSize ? messages.slice(-Math.floor(maxSize * MEMORY_KEEP_SHARE)) : messages;
}

/** How many of `messages` that were added one by one are in memory after the last. */
export function memoryCount(messages: number, maxSize: number): number {
  const keep = Math.floor(maxSize * MEMORY_KEEP_SHARE);
  if (messages <= maxSize || keep === 0) return messages;
  // Each time `maxSize` is passed by one, `keep` stay.
  return keep + ((messages - maxSize - 1) % (maxSize + 1 - keep));
}
