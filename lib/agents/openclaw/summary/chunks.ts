import type { Share, Tokens } from "@/lib/core/base/units";
import type { OpenClawPreset } from "../base/presets";
import { messagesTokens, messageTokens } from "../messages/estimate";
import type { AgentMessage } from "../messages/message";
import {
  chunkRatioOf,
  cutAt,
  DEFAULT_PARTS,
  maximumEnds,
  OVERSIZED_SHARE,
  pruneSizes,
  SAFETY_MARGIN,
  shareEnds,
} from "../policy/chunk-sizes";

/**
 * Division of messages for summarising in release 2026.2.1: by shares of the tokens, by a maximum, and without oversized ones. Calls and results are
 * not kept together. Source: README.md, "Summaries"; openclaw@2026.2.1, agents/compaction.
 */
const PRESET: OpenClawPreset = "as-documented";

function sizesOf(messages: readonly AgentMessage[]): readonly Tokens[] {
  return messages.map((message) => messageTokens(message, PRESET));
}

/** Neighbouring messages in parts with about the same tokens. */
export function splitByShare(messages: readonly AgentMessage[], parts = DEFAULT_PARTS): readonly AgentMessage[][] {
  return cutAt(messages, shareEnds(sizesOf(messages), parts));
}

/** Neighbouring messages in chunks within a maximum; a larger message is a chunk of its own. */
export function chunkByMaximum(messages: readonly AgentMessage[], most: Tokens): readonly AgentMessage[][] {
  return cutAt(messages, maximumEnds(sizesOf(messages), most));
}

/** Share of the window for one summary call: smaller if the average message is large. */
export function adaptiveChunkRatio(
  messages: readonly AgentMessage[],
  window: Tokens,
  preset: OpenClawPreset = PRESET,
): Share {
  return chunkRatioOf(messagesTokens(messages, preset), messages.length, window);
}

/** True if a message is too large to be summarised. */
export function isOversized(message: AgentMessage, window: Tokens): boolean {
  return messageTokens(message, PRESET) * SAFETY_MARGIN > window * OVERSIZED_SHARE;
}

/** The part that fits the history's share of the window, and the dropped part. */
export interface PrunedHistory {
  readonly messages: readonly AgentMessage[];
  readonly dropped: readonly AgentMessage[];
  readonly droppedChunks: number;
  readonly droppedTokens: Tokens;
  readonly keptTokens: Tokens;
  readonly budget: Tokens;
}

/** Drops the oldest part until the rest fits. A single message that does not fit stays. */
export function pruneHistory(
  messages: readonly AgentMessage[],
  window: Tokens,
  share: Share = 0.5,
  parts = DEFAULT_PARTS,
): PrunedHistory {
  const { from, droppedChunks, budget } = pruneSizes(sizesOf(messages), window, share, parts);
  const kept = messages.slice(from);
  const dropped = messages.slice(0, from);
  return {
    messages: kept,
    dropped,
    droppedChunks,
    droppedTokens: messagesTokens(dropped, PRESET),
    keptTokens: messagesTokens(kept, PRESET),
    budget,
  };
}
