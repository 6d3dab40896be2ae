import type { Chars, Milliseconds, Share, Tokens } from "@/lib/core/base/units";

/** Constants, and rules that need only numbers, for both layers. Browser-safe. */

/** Share of the window at which rule `context` compacts, and the size that rule `session` compares with. Source: README.md, "Triggers". */
export const THRESHOLD_SHARE: Share = 0.8;
export const COMPRESSION_THRESHOLD: Tokens = 6000;
export const COMPRESSION_THRESHOLD_CURRENT: Tokens = 100_000;

/** Share of the messages to keep, and the share to keep if compaction failed. Source: README.md, "Kept messages". */
export const RETAIN_SHARE: Share = 0.2;
export const FALLBACK_RETAIN_SHARE: Share = 0.3;

/** Maximum number of messages in memory, and the share of them to keep above it. Source: README.md, "Memory". */
export const MAX_MESSAGES = 1000;
export const MEMORY_KEEP_SHARE: Share = 0.8;

/** Limits of the context filter, which would keep the newest messages within them. Declared and never applied. Source: README.md, "Memory". */
export const CONTEXT_FILTER: { readonly tokens: Tokens; readonly messages: number; readonly age: Milliseconds } = {
  tokens: 32_000,
  messages: 50,
  age: 24 * 60 * 60 * 1000,
};

/** Tokens of every message besides its role and content, and of every call besides its id, name and arguments. */
export const MESSAGE_TOKENS: Tokens = 4;
/** Tokens kept free for the answer. Source: README.md, "Tokens". */
export const MAX_OUTPUT_TOKENS: Tokens = 4096;

/** Number of user messages that the automatic summary quotes, and the length of each quote. Source: README.md, "The summary". */
export const QUOTED_REQUESTS = 5;
export const QUOTED_CHARS: Chars = 200;
/** Maximum characters of a message shown to the summarising model. Source: as above. */
export const SHOWN_CHARS: Chars = 5000;

/** Number of newest messages that a compaction keeps, before orphans are removed. */
export function retainCount(messages: number, share: Share): number {
  return Math.ceil(messages * share);
}

/** Number of `messages`, added one by one, that remain in memory: each time the limit is exceeded, only a part is kept. */
export function memoryCount(messages: number, most: number): number {
  const keep = Math.floor(most * MEMORY_KEEP_SHARE);
  if (messages <= most || keep === 0) return messages;
  return keep + ((messages - most - 1) % (most + 1 - keep));
}
