import { isRetained, staysAfterwards } from "@/lib/agents/codex/estimator";
import { type ContentItem, contentItems, type ResponseItem, stringField } from "@/lib/agents/codex/messages/item";
import { textTokens } from "@/lib/agents/codex/messages/tokens";
import { truncateText } from "@/lib/agents/codex/sent/truncate";
import type { Tokens } from "@/lib/core/base/units";

/** The remote compaction of `current` ("v2"), over real items. Source: README.md, "Remote compaction". */

/** Budget for the messages kept in addition to the encrypted summary. */
const RETAINED_TOKENS: Tokens = 64_000;

/** The history after a remote compaction. */
export function remoteCompactedHistory(
  items: readonly ResponseItem[],
  compaction: ResponseItem,
  budget: Tokens = RETAINED_TOKENS,
): readonly ResponseItem[] {
  return [...withinBudget(items.filter(isRetained).filter(staysAfterwards), budget), compaction];
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
