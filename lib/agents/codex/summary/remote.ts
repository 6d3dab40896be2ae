import type { Tokens } from "@/lib/core/base/units";
import { isContextualUserMessage } from "../messages/contextual";
import { itemTokens } from "../messages/estimate";
import { type ContentItem, contentItems, isMessage, type ResponseItem, stringField } from "../messages/item";
import { textTokens } from "../messages/tokens";
import { truncateText } from "../sent/truncate";

/** The remote compaction of `current` ("v2"), over real items. Source: README.md, "Remote compaction". */

/** Budget for the messages kept besides the encrypted summary. */
const RETAINED_TOKENS: Tokens = 64_000;
/** Mail from another agent above this size is dropped. */
const MAX_AGENT_MESSAGE_TOKENS: Tokens = 10_000;
const FINAL_ANSWER = "Message Type: FINAL_ANSWER";
const RETAINED_ROLES = new Set(["user", "developer", "system"]);

/** The history after a remote compaction. */
export function remoteCompactedHistory(
  items: readonly ResponseItem[],
  compaction: ResponseItem,
  budget: Tokens = RETAINED_TOKENS,
): readonly ResponseItem[] {
  return [...withinBudget(items.filter(isRetained).filter(staysAfterwards), budget), compaction];
}

/** The first filter keeps messages of the user and of the agent, and mail that is neither a final answer nor long. */
export function isRetained(item: ResponseItem): boolean {
  if (item.type === "message") return RETAINED_ROLES.has(stringField(item, "role") ?? "");
  if (item.type !== "agent_message") return false;
  const first = contentItems(item.content)[0];
  const text = first === undefined ? undefined : stringField(first, "text");
  return !(text ?? "").startsWith(FINAL_ANSWER) && itemTokens(item, "current") <= MAX_AGENT_MESSAGE_TOKENS;
}

/** The second filter drops content that the agent sends again anyway. */
export function staysAfterwards(item: ResponseItem): boolean {
  if (item.type === "agent_message") return true;
  return isMessage(item, "user") && !isContextualUserMessage(item, "current");
}

/** Messages within the budget, newest first. The first that does not fit is truncated text by text, and older ones are dropped. */
export function withinBudget(items: readonly ResponseItem[], budget: Tokens): readonly ResponseItem[] {
  const kept: ResponseItem[] = [];
  let remaining = budget;
  for (const item of items.toReversed()) {
    if (remaining === 0) break;
    const cost = Math.max(1, retainedCost(item));
    if (cost <= remaining) {
      kept.push(item);
      remaining -= cost;
      continue;
    }
    const truncated = truncatedMessage(item, remaining);
    if (truncated === undefined) continue;
    kept.push(truncated);
    remaining = 0;
  }
  return kept.reverse();
}

function retainedCost(item: ResponseItem): Tokens {
  return contentItems(item.content).reduce((sum, entry) => sum + textTokens(messageText(entry) ?? ""), 0);
}

function messageText(entry: ContentItem): string | undefined {
  return entry.type === "input_text" || entry.type === "output_text" ? stringField(entry, "text") : undefined;
}

/** The message cut to a budget; `undefined` if nothing is left of it. */
function truncatedMessage(item: ResponseItem, budget: Tokens): ResponseItem | undefined {
  let remaining = budget;
  const content = contentItems(item.content).flatMap((entry): readonly ContentItem[] => {
    const text = messageText(entry);
    if (text === undefined) return [entry];
    if (remaining === 0) return [];
    const tokens = textTokens(text);
    const kept = tokens <= remaining ? text : truncateText(text, { mode: "tokens", limit: remaining });
    remaining = Math.max(0, remaining - tokens);
    return kept === "" ? [] : [{ ...entry, text: kept }];
  });
  return content.length === 0 ? undefined : { ...item, content };
}
