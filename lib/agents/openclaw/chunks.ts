import type { Share, Tokens } from "@/lib/core/base/units";
import { messagesTokens, messageTokens } from "./estimate";
import type { AgentMessage } from "./message";
import type { OpenClawPreset } from "./presets";

/**
 * How release 2026.2.1 cuts messages up for summarising: by shares of the tokens, by a maximum, by what is oversized. Calls and results are
 * not kept together. Source: systems/openclaw.md §4; openclaw@2026.2.1, agents/compaction.
 */
const PRESET: OpenClawPreset = "as-documented";

/** Share of the window that one summary call takes, and the least of it where messages are large. */
export const BASE_CHUNK_RATIO: Share = 0.4;
export const MIN_CHUNK_RATIO: Share = 0.15;
/** Estimates are taken to be this much too low. */
export const SAFETY_MARGIN = 1.2;
export const DEFAULT_PARTS = 2;
/** Fewer messages are never summarised in parts. */
export const MIN_MESSAGES_FOR_SPLIT = 4;
/** A message above this share of the window is not summarised. */
export const OVERSIZED_SHARE: Share = 0.5;

/** A number of parts that the messages allow: 1 where the wish is none. */
export function usableParts(parts: number, messages: number): number {
  if (!Number.isFinite(parts) || parts <= 1) return 1;
  return Math.min(Math.max(1, Math.floor(parts)), Math.max(1, messages));
}

/** Neighbouring messages in parts of about the same tokens. */
export function splitByShare(messages: readonly AgentMessage[], parts = DEFAULT_PARTS): readonly AgentMessage[][] {
  const wanted = usableParts(parts, messages.length);
  const target = messagesTokens(messages, PRESET) / wanted;
  const chunks = new Chunks();
  for (const message of messages) {
    const tokens = messageTokens(message, PRESET);
    if (chunks.closed < wanted - 1 && chunks.tokens + tokens > target) chunks.close();
    chunks.add(message, tokens);
  }
  return chunks.all();
}

/** Neighbouring messages in chunks within a maximum; a message above it stands alone. */
export function chunkByMaximum(messages: readonly AgentMessage[], most: Tokens): readonly AgentMessage[][] {
  const chunks = new Chunks();
  for (const message of messages) {
    const tokens = messageTokens(message, PRESET);
    if (chunks.tokens + tokens > most) chunks.close();
    chunks.add(message, tokens);
    if (tokens > most) chunks.close();
  }
  return chunks.all();
}

class Chunks {
  readonly #closed: AgentMessage[][] = [];
  #open: AgentMessage[] = [];
  tokens: Tokens = 0;

  get closed(): number {
    return this.#closed.length;
  }

  add(message: AgentMessage, tokens: Tokens): void {
    this.#open.push(message);
    this.tokens += tokens;
  }

  /** Ends the chunk, if there is something in it. */
  close(): void {
    if (this.#open.length === 0) return;
    this.#closed.push(this.#open);
    this.#open = [];
    this.tokens = 0;
  }

  all(): readonly AgentMessage[][] {
    this.close();
    return this.#closed;
  }
}

/**
 * Share of the window for one summary call: less where the average message is large. It jumps from 0.4 to just under 0.2
 * where the average passes a tenth of the window.
 */
export function adaptiveChunkRatio(
  messages: readonly AgentMessage[],
  window: Tokens,
  preset: OpenClawPreset = PRESET,
): Share {
  return chunkRatioOf(messagesTokens(messages, preset), messages.length, window);
}

/** The same from numbers. */
export function chunkRatioOf(tokens: Tokens, messages: number, window: Tokens): Share {
  if (messages === 0) return BASE_CHUNK_RATIO;
  const average = ((tokens / messages) * SAFETY_MARGIN) / window;
  if (!(average > 0.1)) return BASE_CHUNK_RATIO;
  return Math.max(MIN_CHUNK_RATIO, BASE_CHUNK_RATIO - Math.min(average * 2, BASE_CHUNK_RATIO - MIN_CHUNK_RATIO));
}

/** Whether a message is too large to be summarised. */
export function isOversized(message: AgentMessage, window: Tokens): boolean {
  return messageTokens(message, PRESET) * SAFETY_MARGIN > window * OVERSIZED_SHARE;
}

/** What fits the history's share of the window, and what was dropped for it. */
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
  const budget = Math.max(1, Math.floor(window * share));
  const wanted = usableParts(parts, messages.length);
  const dropped: AgentMessage[] = [];
  let kept = messages;
  let droppedChunks = 0;
  while (messagesTokens(kept, PRESET) > budget) {
    const [oldest, ...rest] = splitByShare(kept, wanted);
    if (oldest === undefined || rest.length === 0) break;
    droppedChunks += 1;
    dropped.push(...oldest);
    kept = rest.flat();
  }
  return {
    messages: kept,
    dropped,
    droppedChunks,
    droppedTokens: messagesTokens(dropped, PRESET),
    keptTokens: messagesTokens(kept, PRESET),
    budget,
  };
}
