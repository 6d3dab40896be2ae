import { isObject } from "@/lib/agents/shared/json";
import type { Share } from "@/lib/core/base/units";
import { retainCount } from "../base/constants";
import type { ClawdMessage } from "../messages/message";

/** The newest messages of a share; all of them if the share keeps none, since `slice(-0)` is `slice(0)`. */
export function retainCandidates(messages: readonly ClawdMessage[], share: Share): readonly ClawdMessage[] {
  return messages.slice(-retainCount(messages.length, share));
}

/** The messages without results whose call is not among them, wherever it is. A result without an id is kept, and so is a call without a result. */
export function withoutOrphans(messages: readonly ClawdMessage[]): readonly ClawdMessage[] {
  const ids = new Set(messages.flatMap(callIds));
  return messages.filter(({ role, tool_call_id: id }) => role !== "tool" || !id || ids.has(id));
}

function callIds({ role, tool_calls }: ClawdMessage): readonly unknown[] {
  if (role !== "assistant" || !Array.isArray(tool_calls)) return [];
  return tool_calls.flatMap((call) => (isObject(call) && call.id ? [call.id] : []));
}

/** The messages that a compaction keeps. */
export function retained(messages: readonly ClawdMessage[], share: Share): readonly ClawdMessage[] {
  return withoutOrphans(retainCandidates(messages, share));
}
