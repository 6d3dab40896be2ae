import type { Bytes, Tokens } from "@/lib/core/base/units";
import { utf8Length } from "@/lib/core/tokens/characters";
import { isUserTurnBoundary } from "../messages/contextual";
import { itemTokens } from "../messages/estimate";
import { encryptedContent, isMessage, isModelGenerated, type ResponseItem } from "../messages/item";
import { reasoningBytes, tokensFromBytes } from "../messages/tokens";
import { type CodexPreset, whereSilent } from "../presets";

/**
 * The number that Codex compares with its limit: the last response's total, the reasoning that the server does not count, and in `current`
 * everything after the response. Source: README.md, "Usage that is compared".
 */
export function totalTokenUsage(
  items: readonly ResponseItem[],
  lastTotal: Tokens,
  serverCountsReasoning: boolean,
  preset: CodexPreset,
): Tokens {
  const rules = whereSilent(preset);
  const after = rules === "current" ? tokensAfterResponse(items) : 0;
  return lastTotal + after + (serverCountsReasoning ? 0 : earlierReasoning(items, rules));
}

/** Estimate of the items after the last one that the model made; 0 where it made none. `current` only. */
export function tokensAfterResponse(items: readonly ResponseItem[]): Tokens {
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
