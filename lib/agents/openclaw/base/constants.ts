import type { Bytes, Chars, Share, Tokens } from "@/lib/core/base/units";

/**
 * Limits, and rules that need only numbers, for both layers. Browser-safe. Sources: README.md, "Rules"; the releases named there are
 * openclaw@2026.2.1 (`as-documented`) and openclaw@2026.9.6 (`current`).
 */

/** pi's own reserve, and the minimum to which OpenClaw raises it. */
export const RESERVE_TOKENS: Tokens = 16_384;
export const RESERVE_TOKENS_FLOOR: Tokens = 20_000;
/** Approximate tokens kept after a compaction. */
export const KEEP_RECENT_TOKENS: Tokens = 20_000;
/** Distance below the threshold at which memories are written down. */
export const MEMORY_FLUSH_TOKENS: Tokens = 4_000;
/** Share of the window for the summarised messages. */
export const MAX_HISTORY_SHARE: Share = 0.5;

/** Release 2026.2.1 warns about windows below the first number, and refuses those below the second. */
export const WARN_BELOW_TOKENS: Tokens = 32_000;
export const BLOCK_BELOW_TOKENS: Tokens = 16_000;
/** The same for 2026.9.6: the larger of a number and a share of the reference window. */
export const CURRENT_WARN_BELOW_TOKENS: Tokens = 8_000;
export const CURRENT_BLOCK_BELOW_TOKENS: Tokens = 4_000;
export const CURRENT_WARN_SHARE: Share = 0.2;
export const CURRENT_BLOCK_SHARE: Share = 0.1;

/** The largest share of the window that 2026.9.6 reserves. */
export const MAX_RESERVE_SHARE: Share = 0.25;
/** Minimum room for a prompt in 2026.5.7, whatever the reserve: a number of tokens, or a share of a smaller window. */
export const MIN_PROMPT_TOKENS: Tokens = 8_000;
export const MIN_PROMPT_SHARE: Share = 0.5;
/** Estimates are assumed to be too low by this factor. */
export const PRESSURE_MARGIN = 1.2;

/** Limits for pruning old tool results in memory. */
export const PRUNING_TTL_MINUTES = 60;
export const KEEP_LAST_ASSISTANTS = 3;
export const SOFT_TRIM_SHARE: Share = 0.3;
export const HARD_CLEAR_SHARE: Share = 0.5;
export const MIN_PRUNABLE_CHARS: Chars = 50_000;
export const SOFT_TRIM_CHARS: Chars = 4_000;
export const SOFT_TRIM_HEAD_CHARS: Chars = 1_500;
export const SOFT_TRIM_TAIL_CHARS: Chars = 1_500;
export const CLEARED_PLACEHOLDER = "[Old tool result content cleared]";
/** Chars that pruning counts for an image, and for a message that is not a user message, response or tool result. */
export const PRUNING_IMAGE_CHARS: Chars = 8_000;
export const PRUNING_OTHER_CHARS: Chars = 256;

/** Shares of the window, in chars, for one tool result and for all of them. */
const RESULT_SHARE: Share = 0.3;
const AGGREGATE_SHARE: Share = 0.5;
const AGGREGATE_RESULTS = 4;
const CHARS_PER_TOKEN = 4;

/** The reserve that applies: pi's own, raised to the floor. */
export function reserveInForce(reserveTokens: Tokens, floor: Tokens): Tokens {
  return Math.max(reserveTokens, floor);
}

/** The reserve that 2026.9.6 uses in its check before a prompt: at most a quarter of the window. */
export function effectiveReserve(window: Tokens, reserveTokens: Tokens): Tokens {
  const budget = Math.max(1, Math.floor(window));
  return Math.min(Math.max(0, Math.floor(reserveTokens)), Math.floor(budget * MAX_RESERVE_SHARE));
}

/** The reserve of 2026.5.7, which leaves room for a small prompt in any window. */
export function promptReserve(window: Tokens, reserveTokens: Tokens): Tokens {
  const budget = Math.max(1, Math.floor(window));
  const prompt = Math.min(MIN_PROMPT_TOKENS, Math.max(1, Math.floor(budget * MIN_PROMPT_SHARE)));
  return Math.min(Math.max(0, Math.floor(reserveTokens)), Math.max(0, budget - prompt));
}

/** Size at which memories are written down before a compaction; 0 if there is no room for that. */
export function memoryFlushThreshold(window: Tokens, reserveFloor: Tokens, softTokens: Tokens): Tokens {
  const whole = Math.max(1, Math.floor(window));
  return Math.max(0, whole - Math.max(0, Math.floor(reserveFloor)) - Math.max(0, Math.floor(softTokens)));
}

/** Maximum chars of a tool result, by the window alone. */
export function autoResultChars(window: Tokens): Chars {
  const tokens = Math.floor(window);
  if (!Number.isFinite(window) || tokens < 100_000) return 16_000;
  return tokens >= 200_000 ? 64_000 : 32_000;
}

/** Maximum chars of a tool result that is sent. NaN if the window is not a number, negative if the window is. */
export function liveResultChars(window: Tokens): Chars {
  return Math.min(Math.floor(window * RESULT_SHARE) * CHARS_PER_TOKEN, autoResultChars(window));
}

/** Maximum chars of all tool results together. */
export function aggregateResultChars(window: Tokens, perResult: Chars = liveResultChars(window)): Chars {
  const whole = Number.isFinite(window) ? Math.max(1, Math.floor(window)) : 1;
  return Math.max(
    Math.max(1, Math.floor(perResult)) * AGGREGATE_RESULTS,
    Math.floor(whole * CHARS_PER_TOKEN * AGGREGATE_SHARE),
  );
}

/** Kind of message that begins at a row: it decides where a compaction may cut, and what starts a turn. Values of the measure `openclaw.cut`. */
export const CUT = {
  /** Nothing begins: the row continues the previous one. */
  INSIDE: 0,
  /** A turn: a user message, or a shell command that the user ran. */
  TURN: 1,
  RESPONSE: 2,
  /** A tool result: a cut is never allowed here. */
  RESULT: 3,
  /** An entry that is sent as a message but is not a message of the session: an extension's, or a branch's summary. */
  ENTRY: 4,
  /** A message that the runtime inserts for one prompt: 2026.9.6 does not cut there. */
  CARRIER: 5,
  /** Another message at which a cut is allowed: a summary in the form of a message. */
  MESSAGE: 6,
  /** A response that failed: its calls were never run. */
  FAILED: 7,
} as const;

/**
 * Role of a call or a result in the repair of a history; 0 for rows that take no part. Values of the measure `openclaw.paired`. Source:
 * openclaw@2026.2.1, agents/transcript-policy; @2026.5.7, pi-embedded-runner/run/attempt.
 */
export const PAIRED = {
  /** A call to Anthropic, Google or an unnamed provider, or a result: every release repairs it. */
  ALWAYS: 1,
  /** A call to another provider, which releases before 2026.5.7 leave unchanged. */
  LATER: 2,
  /** The same for OpenAI's Responses API, whose stand-in has a text of its own. */
  OPENAI: 3,
  /** A call in another agent's recording. */
  FOREIGN: 4,
  /** A result that is a stand-in already. */
  STAND_IN: 5,
} as const;

/** Chars of an image in a tool result or a custom message; 0 in a user message. Source: pi 0.51. */
export const DOCUMENTED_IMAGE_CHARS: Chars = 4800;

/** Chars of an image anywhere: 2,000 tokens. Source: openclaw@2026.9.6. */
export const CURRENT_IMAGE_CHARS: Chars = 8000;

/** True if a response begins at the row. */
export function isResponse(cut: number): boolean {
  return cut === CUT.RESPONSE || cut === CUT.FAILED;
}

/** Measures that the policy and the report read if the columns have them; `openClawMeasures` on the server computes them. */
export const OPENCLAW_MEASURES = [
  "openclaw.cut",
  "openclaw.paired",
  "openclaw.callId",
  "openclaw.weightedChars",
  "openclaw.uncutChars",
  "openclaw.pressure",
  "openclaw.fileEnd",
  "openclaw.callChars",
  "openclaw.trimUnits",
  "openclaw.markerChars",
  "openclaw.trimmedChars",
  "openclaw.givenChars",
  "openclaw.givenWeighted",
  "openclaw.failureChars",
  "openclaw.fileChars",
] as const;
export type OpenClawMeasure = (typeof OPENCLAW_MEASURES)[number];

/** Length to which a tool's output is cut before it enters the history. Source: openclaw@2026.2.1, exec; pi 0.51, core/tools. */
export const EXEC_OUTPUT_CHARS: Chars = 200_000;
export const READ_OUTPUT_BYTES: Bytes = 51_200;
export const READ_OUTPUT_LINES = 2000;

/** Ratio of the provider's count to the estimate. The budget is divided by this, which leaves at least one token. */
export function budgetScale(usageTokens: Tokens, estimated: Tokens, keepRecentTokens: Tokens): number {
  if (!(estimated > 0)) return 1;
  return Math.min(Math.max(1, keepRecentTokens), Math.max(1, usageTokens / estimated));
}

/** Actions of 2026.9.6 for a prompt that is too long. */
export type PromptRoute = "fits" | "compact_only" | "truncate_tool_results_only" | "compact_then_truncate";

/** Tokens beyond the overflow that truncation must be able to free to be enough. */
const ROUTE_BUFFER_TOKENS: Tokens = 512;
const ROUTE_MARGIN = 1.5;

/** The route for a prompt, from its excess tokens and the chars that tool results could give up. */
export function promptRoute(overflowTokens: Tokens, reducibleChars: Chars): PromptRoute {
  if (overflowTokens <= 0) return "fits";
  if (reducibleChars <= 0) return "compact_only";
  const overflowChars = overflowTokens * CHARS_PER_TOKEN;
  const enough = Math.max(
    overflowChars + ROUTE_BUFFER_TOKENS * CHARS_PER_TOKEN,
    Math.ceil(overflowChars * ROUTE_MARGIN),
  );
  return reducibleChars >= enough ? "truncate_tool_results_only" : "compact_then_truncate";
}
