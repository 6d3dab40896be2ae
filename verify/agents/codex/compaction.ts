import { type CodexPreset, undocumentedRules } from "@/lib/agents/codex/base/presets";
import { isKeptUserMessage } from "@/lib/agents/codex/estimator";
import { isRealUserMessage, isSummaryText, SUMMARY_PREFIX } from "@/lib/agents/codex/messages/contextual";
import { itemTokens } from "@/lib/agents/codex/messages/estimate";
import {
  contentItems,
  isMessage,
  messageTexts,
  type ResponseItem,
  stringField,
  typedTexts,
  userMessage,
} from "@/lib/agents/codex/messages/item";
import { textTokens } from "@/lib/agents/codex/messages/tokens";
import { truncateText } from "@/lib/agents/codex/sent/truncate";
import type { Tokens } from "@/lib/core/base/units";

/** Local compaction, over real items. Source: README.md, "Local compaction". */

/** Budget for the kept user messages, COMPACT_USER_MESSAGE_MAX_TOKENS in core/src/compact.rs. */
const USER_MESSAGE_TOKENS: Tokens = 20_000;

const NO_SUMMARY = "(no summary available)";

/** Texts of the user messages that a compaction may keep, before its budget is applied: typed messages, but no earlier summaries. */
export function collectUserMessages(items: readonly ResponseItem[], preset: CodexPreset): readonly string[] {
  const rules = undocumentedRules(preset);
  return items
    .filter((item) => isKeptUserMessage(item, rules))
    .map((item) => typedTexts(item).join(""))
    .filter((text) => !isSummaryText(text));
}

/** The summary text: the prefix, and the newest answer that holds text. */
function summaryText(items: readonly ResponseItem[], preset: CodexPreset): string {
  for (const item of items.toReversed()) {
    if (!isMessage(item, "assistant")) continue;
    const texts = contentItems(item.content).flatMap((entry) =>
      entry.type === "output_text" ? (stringField(entry, "text") ?? []) : [],
    );
    const text = undocumentedRules(preset) === "current" ? texts.join("") : texts.at(-1);
    if (texts.length > 0 && text !== undefined) return `${SUMMARY_PREFIX}\n${text}`;
  }
  return `${SUMMARY_PREFIX}\n`;
}

/** The texts that fit the budget, from the newest back. The first that does not fit is truncated to the rest, and is the last one. */
function selectUserMessages(texts: readonly string[], budget: Tokens): readonly string[] {
  const selected: string[] = [];
  let remaining = budget;
  for (const text of texts.toReversed()) {
    if (remaining === 0) break;
    const tokens = textTokens(text);
    if (tokens > remaining) {
      selected.push(truncateText(text, { mode: "tokens", limit: remaining }));
      break;
    }
    selected.push(text);
    remaining -= tokens;
  }
  return selected.reverse();
}

/** The history after a compaction: initial context, kept user messages, the summary. */
export function buildCompactedHistory(
  initialContext: readonly ResponseItem[],
  userMessages: readonly string[],
  summary: string,
  budget: Tokens = USER_MESSAGE_TOKENS,
): readonly ResponseItem[] {
  return [
    ...initialContext,
    ...selectUserMessages(userMessages, budget).map(userMessage),
    userMessage(summary === "" ? NO_SUMMARY : summary),
  ];
}

interface CompactionInput {
  /** The recorded history, ending with the model's summary. */
  readonly items: readonly ResponseItem[];
  readonly initialContext: readonly ResponseItem[];
  readonly baseInstructions: string;
  readonly userMessageTokens?: Tokens;
  /** True within a turn: `current` then restores the initial context at once, before the last user message. */
  readonly midTurn?: boolean;
}

interface CompactionResult {
  readonly userMessages: readonly string[];
  readonly summaryText: string;
  readonly history: readonly ResponseItem[];
  /** The estimate that becomes the last usage: base instructions and items, without tools. */
  readonly tokensAfter: Tokens;
}

/** Makes a whole local compaction, once the model has answered. */
export function compact(input: CompactionInput, preset: CodexPreset): CompactionResult {
  const rules = undocumentedRules(preset);
  const userMessages = collectUserMessages(input.items, rules);
  const summary = summaryText(input.items, rules);
  const initial = rules === "current" ? [] : input.initialContext;
  const built = buildCompactedHistory(initial, userMessages, summary, input.userMessageTokens);
  const ghosts = rules === "current" ? [] : input.items.filter((item) => item.type === "ghost_snapshot");
  const history =
    rules === "current" && input.midTurn === true
      ? withInitialContext(built, input.initialContext)
      : [...built, ...ghosts];
  return {
    userMessages,
    summaryText: summary,
    history,
    tokensAfter: historyTokens(history, input.baseInstructions, rules),
  };
}

/** Puts the initial context before the last real user message, else before the summary, else at the end. */
function withInitialContext(
  history: readonly ResponseItem[],
  initialContext: readonly ResponseItem[],
): readonly ResponseItem[] {
  const isSummary = (item: ResponseItem) => messageTexts(item).some(isSummaryText);
  const last = history.findLastIndex((item) => isRealUserMessage(item, "current") && !isSummary(item));
  const summary = history.findLastIndex((item) => isMessage(item, "user") && isSummary(item));
  const compaction = history.findLastIndex((item) => item.type === "compaction");
  const at = [last, summary, compaction].find((index) => index >= 0) ?? history.length;
  return [...history.slice(0, at), ...initialContext, ...history.slice(at)];
}

/** Estimate of everything that would be sent: base instructions and items, but no tools. */
export function historyTokens(items: readonly ResponseItem[], baseInstructions: string, preset: CodexPreset): Tokens {
  return items.reduce((sum, item) => sum + itemTokens(item, preset), textTokens(baseInstructions));
}
