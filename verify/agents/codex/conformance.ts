import { BASELINE_TOKENS, effectiveWindow, nineTenths } from "@/lib/agents/codex/base/constants";
import { type CodexPreset, codexPreset, undocumentedRules } from "@/lib/agents/codex/base/presets";
import { isRetained } from "@/lib/agents/codex/estimator";
import { itemTokens } from "@/lib/agents/codex/messages/estimate";
import {
  contentItems,
  encryptedContent,
  isMessage,
  isModelGenerated,
  type ResponseItem,
  toItem,
} from "@/lib/agents/codex/messages/item";
import { bytesForTokens, reasoningBytes, textTokens, tokensFromBytes } from "@/lib/agents/codex/messages/tokens";
import { forPrompt } from "@/lib/agents/codex/sent/normalize";
import {
  byteBudget,
  entryPolicy,
  splitBudget,
  splitText,
  type TruncationPolicy,
  truncateContentItems,
  truncateText,
} from "@/lib/agents/codex/sent/truncate";
import { utf8Length } from "@/lib/core/base/characters";
import type { Bytes, Tokens } from "@/lib/core/base/units";
import { isObject } from "@/lib/core/records/fields";
import type { Conformance, GoldenAdapter } from "@/verify/golden";
import { buildCompactedHistory, collectUserMessages, compact, historyTokens } from "./compaction";
import { isUserTurnBoundary } from "./contextual";
import { recordItems, withoutFirstItem, withoutLastTurns } from "./recorded-history";
import { withinBudget } from "./remote";
import { formattedTruncateText, tokenBudget, truncateToTokens } from "./truncate";

/**
 * Our functions' answers to the inputs of the golden cases, by the function's name. The inputs are already expanded, and the answers have the
 * shape of their `expected`. This file only translates shapes and holds no rule.
 */
export const conformance: Conformance = {
  "estimate-items": onInput((input, preset) => itemTokens(itemOf(input.item), preset)),
  primitives: onInput(primitive),
  truncate: onInput(truncation),
  "truncate-content-items": onInput((input, preset) =>
    truncateContentItems(contentItems(input.content_items), policyOf(input), preset),
  ),
  "record-items": onInput(recording),
  normalize: onInput((input, preset) =>
    forPrompt(recordItems(itemsOf(input.items), UNLIMITED, preset), preset, {
      images: input.images_supported !== false,
      audio: input.audio_supported !== false,
    }),
  ),
  "remove-first-item": onInput((input, preset) => {
    let items = itemsOf(input.items);
    for (let n = numberOf(input.times ?? 1); n > 0; n--) items = withoutFirstItem(items, preset);
    return items;
  }),
  rollback: onInput((input, preset) => withoutLastTurns(itemsOf(input.items), numberOf(input.n), preset)),
  usage: onInput(usage),
  limits: onInput((input, preset) => {
    const window =
      numberOrNull(input.context_window) ?? (preset === "current" ? numberOrNull(input.max_context_window) : null);
    return {
      auto_compact_token_limit: autoCompactLimit(
        window,
        numberOrNull(input.auto_compact_token_limit),
        preset === "current",
      ),
      model_context_window:
        window === null ? null : effectiveWindow(window, numberOf(input.effective_context_window_percent ?? 95)),
    };
  }),
  compaction: onInput(compaction),
  "remote-v2-retention": onInput((input) =>
    withinBudget(itemsOf(input.items).filter(isRetained), numberOf(input.max_tokens)),
  ),
  "upstream-tests": onInput(upstreamTest),
};

type Input = Readonly<Record<string, unknown>>;

/** So large that an output is truncated only in cases about truncation. */
const UNLIMITED: TruncationPolicy = { mode: "tokens", limit: 1_000_000_000 };

function onInput(run: (input: Input, preset: CodexPreset) => unknown): GoldenAdapter {
  return (input, { preset }) => run(isObject(input) ? input : {}, codexPreset(preset));
}

function primitive(input: Input, preset: CodexPreset): unknown {
  switch (input.op) {
    case "split_string":
      return split(input);
    case "split_budget":
      return splitBudget(numberOf(input.budget));
    case "approx_token_count":
      return textTokens(textOf(input.content));
    case "approx_bytes_for_tokens":
      return bytesForTokens(numberOf(input.n));
    case "approx_tokens_from_byte_count":
      return tokensFromBytes(numberOf(input.n), preset);
    case "estimate_reasoning_length":
      return reasoningBytes(numberOf(input.n));
    case "percent_remaining":
      return percentLeft(numberOf(input.total_tokens), numberOf(input.window));
    case "policy_budgets": {
      const policy = policyOf(input);
      return {
        byte_budget: byteBudget(policy),
        token_budget: tokenBudget(policy),
        mul_1_2: entryPolicy(policy),
      };
    }
    default:
      return undefined;
  }
}

function split(input: Input): unknown {
  const { removed, head, tail } = splitText(
    textOf(input.content),
    numberOf(input.beginning_bytes),
    numberOf(input.end_bytes),
  );
  return [removed, head, tail];
}

function truncation(input: Input, preset: CodexPreset): unknown {
  const text = textOf(input.content);
  return (input.op ?? input.fn) === "formatted_truncate_text"
    ? formattedTruncateText(text, policyOf(input), preset)
    : truncateText(text, policyOf(input));
}

/** Handles a case that describes its text in a note: it only asks if the text passes unchanged. */
function recording(input: Input, preset: CodexPreset): unknown {
  const items = itemsOf(input.items);
  if (input.note === undefined) return recordItems(items, policyOf(input), preset);
  const described = items.map((item) => ({ ...item, content: [{ type: "input_text", text: "m".repeat(90_000) }] }));
  return { unchanged: JSON.stringify(recordItems(described, policyOf(input), preset)) === JSON.stringify(described) };
}

function usage(input: Input, preset: CodexPreset): unknown {
  const items = itemsOf(input.items);
  if (input.op === "estimate_token_count") {
    return historyTokens(items, textOf(input.base_instructions), undocumentedRules(preset));
  }
  const last = numberOf(input.last_total_tokens);
  return {
    not_included: totalTokenUsage(items, last, false, preset),
    server_reasoning_included: totalTokenUsage(items, last, true, preset),
    ...(preset === "current" ? { after_last_model_item: tokensAfterResponse(items) } : {}),
  };
}

function compaction(input: Input, preset: CodexPreset): unknown {
  const initialContext = itemsOf(input.initial_context);
  switch (input.op) {
    case "build_compacted_history": {
      const texts = Array.isArray(input.user_messages) ? input.user_messages.map(textOf) : [];
      return buildCompactedHistory(initialContext, texts, textOf(input.summary_text), numberOf(input.max_tokens));
    }
    case "is_user_turn_boundary":
      return itemsOf(input.items).map((item) => isUserTurnBoundary(item, undocumentedRules(preset)));
    default: {
      const baseInstructions = textOf(input.base_instructions);
      const midTurn = input.mid_turn === true;
      const result = compact({ items: itemsOf(input.items), initialContext, baseInstructions, midTurn }, preset);
      return {
        user_messages: result.userMessages,
        summary_text: result.summaryText,
        replacement_history: result.history,
        post_estimate: result.tokensAfter,
      };
    }
  }
}

function upstreamTest(input: Input, preset: CodexPreset): unknown {
  switch (input.fn) {
    case "split_string":
      return split(input);
    case "for_prompt":
      return forPrompt(recordItems(itemsOf(input.items), UNLIMITED, preset), preset);
    case "remove_first_item":
      return withoutFirstItem(itemsOf(input.items), preset);
    case "collect_user_messages":
      return collectUserMessages(itemsOf(input.items), preset);
    case "truncate_with_token_budget":
      return truncateToTokens(textOf(input.content), policyOf(input).limit);
    default:
      return input.content === undefined ? describedTruncation(input) : truncation(input, preset);
  }
}

/** A long text that the case only describes: one line repeated, or numbered lines. It is judged by its start and its marker. */
function describedTruncation(input: Input): unknown {
  const repeat = input.content_repeat;
  const [line = "", times = 0] = Array.isArray(repeat) ? [textOf(repeat[0]), numberOf(repeat[1])] : [];
  const numbered = /^(.*)\\n for i in 0\.\.(\d+)$/s.exec(textOf(input.content_lines));
  const text =
    numbered === null
      ? line.repeat(times)
      : Array.from({ length: Number(numbered[2]) }, (_, i) => `${numbered[1]?.replace("{i}", String(i))}\n`).join("");
  const truncated = truncateText(text, policyOf(input));
  const removed = /…(\d+) tokens truncated…/.exec(truncated)?.[1];
  return { removed_tokens: Number(removed), starts_with: truncated.startsWith(line) ? line : truncated.slice(0, 80) };
}

function itemOf(value: unknown): ResponseItem {
  return toItem(value) ?? { type: "other" };
}

function itemsOf(value: unknown): readonly ResponseItem[] {
  return Array.isArray(value) ? value.map(itemOf) : [];
}

function policyOf(input: Input): TruncationPolicy {
  const policy = isObject(input.policy) ? input.policy : {};
  return { mode: policy.mode === "bytes" ? "bytes" : "tokens", limit: numberOf(policy.limit) };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function numberOf(value: unknown): number {
  return Number(value);
}

function numberOrNull(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

/**
 * The number that Codex compares with its limit: the last response's total, the reasoning that the server does not count, and in `current`
 * everything after the response. Source: README.md, "Usage compared".
 */
export function totalTokenUsage(
  items: readonly ResponseItem[],
  lastTotal: Tokens,
  serverCountsReasoning: boolean,
  preset: CodexPreset,
): Tokens {
  const rules = undocumentedRules(preset);
  const after = rules === "current" ? tokensAfterResponse(items) : 0;
  return lastTotal + after + (serverCountsReasoning ? 0 : earlierReasoning(items, rules));
}

/** Estimate of the items after the last one that the model made; 0 if it made none. `current` only. */
function tokensAfterResponse(items: readonly ResponseItem[]): Tokens {
  const last = items.findLastIndex(isModelGenerated);
  if (last < 0) return 0;
  return items.slice(last + 1).reduce((sum, item) => sum + itemTokens(item, "current"), 0);
}

/** Tokens of encrypted reasoning before the last user message. The release rounds the sum, `current` rounds every item. */
function earlierReasoning(items: readonly ResponseItem[], preset: CodexPreset): Tokens {
  const boundary = items.findLastIndex((item) =>
    preset === "current" ? isUserTurnBoundary(item, preset) : isMessage(item, "user"),
  );
  const sizes = items.slice(0, Math.max(0, boundary)).flatMap(encryptedReasoningBytes);
  if (preset === "current") return sizes.reduce((sum, bytes) => sum + tokensFromBytes(bytes, preset), 0);
  return tokensFromBytes(
    sizes.reduce((sum, bytes) => sum + bytes, 0),
    preset,
  );
}

function encryptedReasoningBytes(item: ResponseItem): readonly Bytes[] {
  const encrypted = item.type === "reasoning" ? encryptedContent(item) : undefined;
  return encrypted === undefined ? [] : [reasoningBytes(utf8Length(encrypted))];
}

/**
 * The limit that triggers compaction: the configured one, or nine tenths of the window if nothing is configured, or if that is less and the limit is
 * `capped`.
 */
function autoCompactLimit(window: Tokens | null, configured: Tokens | null, capped: boolean): Tokens | null {
  const share = window === null ? null : nineTenths(window);
  if (configured === null) return share;
  return capped && share !== null ? Math.min(configured, share) : configured;
}

/** Remaining percentage of the window, as Codex shows it: the baseline is subtracted from the window and from the used tokens. */
function percentLeft(used: Tokens, window: Tokens): number {
  if (window <= BASELINE_TOKENS) return 0;
  const room = window - BASELINE_TOKENS;
  const left = Math.max(0, room - Math.max(0, used - BASELINE_TOKENS));
  return Math.round(Math.min(100, Math.max(0, (left / room) * 100)));
}
