import { type CodexPreset, undocumentedRules } from "@/lib/agents/codex/base/presets";
import { isContextualUserMessage } from "@/lib/agents/codex/messages/contextual";
import { callIdOf, contentItems, isMessage, type ResponseItem } from "@/lib/agents/codex/messages/item";
import { isRecorded } from "@/lib/agents/codex/read/conversation";
import {
  entryPolicy,
  type TruncationPolicy,
  truncateContentItems,
  truncateText,
} from "@/lib/agents/codex/sent/truncate";
import { entryOf, isObject } from "@/lib/core/records/fields";
import { isContextualDeveloperMessage, isUserTurnBoundary } from "./contextual";

/** Rules for entering Codex's history, and for leaving it at either end. Source: README.md, "History" and "Truncated texts". */

/** Items as they enter the history: system messages and unknown kinds are omitted, tool outputs are truncated. */
export function recordItems(
  items: readonly ResponseItem[],
  policy: TruncationPolicy,
  preset: CodexPreset,
): readonly ResponseItem[] {
  return items.filter((item) => isRecorded(item, preset)).map((item) => entryItem(item, entryPolicy(policy), preset));
}

/** An output, cut to the entry limit. Other items are unchanged. */
function entryItem(item: ResponseItem, policy: TruncationPolicy, preset: CodexPreset): ResponseItem {
  if (item.type !== "function_call_output" && item.type !== "custom_tool_call_output") return item;
  const { output } = item;
  if (typeof output === "string") return { ...item, output: truncateText(output, policy) };
  return Array.isArray(output) ? { ...item, output: truncateContentItems(contentItems(output), policy, preset) } : item;
}

/** For each kind of call, the kind of its output. */
const ANSWER: Readonly<Record<string, string>> = {
  function_call: "function_call_output",
  local_shell_call: "function_call_output",
  custom_tool_call: "custom_tool_call_output",
  tool_search_call: "tool_search_output",
};

/** For each kind of output, the kinds of call that it may answer, in the order in which Codex tries them. */
const ANSWERED: Readonly<Record<string, readonly string[]>> = {
  function_call_output: ["function_call", "local_shell_call"],
  custom_tool_call_output: ["custom_tool_call"],
  tool_search_output: ["tool_search_call"],
};

/** The history without its oldest item and that item's counterpart: Codex removes these when even the compaction's own call is too long. */
export function withoutFirstItem(items: readonly ResponseItem[], preset: CodexPreset): readonly ResponseItem[] {
  const [first, ...rest] = items;
  if (first === undefined) return items;
  const callId = callIdOf(first);
  if (callId === undefined) return rest;
  if (preset === "as-documented") {
    if (first.type !== "function_call") return rest;
    return rest.filter((item) => item.type !== "function_call_output" || callIdOf(item) !== callId);
  }
  const answer = entryOf(ANSWER, first.type);
  for (const kind of answer === undefined ? (entryOf(ANSWERED, first.type) ?? []) : [answer]) {
    const partner = rest.findIndex((item) => item.type === kind && callIdOf(item) === callId);
    if (partner >= 0) return rest.filter((_, index) => index !== partner);
  }
  return rest;
}

/** The history before its last `turns` turns. `current` also removes the context that was inserted right before the cut. */
export function withoutLastTurns(
  items: readonly ResponseItem[],
  turns: number,
  preset: CodexPreset,
): readonly ResponseItem[] {
  const rules = undocumentedRules(preset);
  const starts = items.flatMap((item, index) => (isUserTurnBoundary(item, rules) ? [index] : []));
  const first = starts[0];
  let cut = turns > 0 ? starts[Math.max(0, starts.length - turns)] : undefined;
  if (cut === undefined || first === undefined) return items;
  while (rules === "current" && cut > first && isTurnContext(items[cut - 1])) cut -= 1;
  return items.slice(0, cut);
}

function isTurnContext(item: ResponseItem | undefined): boolean {
  if (item === undefined || !isObject(item)) return false;
  if (isMessage(item, "developer")) return isContextualDeveloperMessage(item);
  return isMessage(item, "user") && isContextualUserMessage(item, "current");
}
