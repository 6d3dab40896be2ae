import type { Bytes, Chars, Share, Tokens } from "@/lib/core/base/units";

/**
 * Limits from numbers alone, for both layers. Browser-safe. Sources: README.md, "Rules"; the releases
 * named there are openclaw@2026.2.1 (`as-documented`) and openclaw@2026.9.6 (`current`).
 */

/** pi's own reserve, and the least that OpenClaw makes of it. */
export const RESERVE_TOKENS: Tokens = 16_384;
export const RESERVE_TOKENS_FLOOR: Tokens = 20_000;
/** What stays after a compaction, about. */
export const KEEP_RECENT_TOKENS: Tokens = 20_000;
/** Distance from the threshold at which memories are written down. */
export const MEMORY_FLUSH_TOKENS: Tokens = 4_000;
/** Share of the window for what is summarised. */
export const MAX_HISTORY_SHARE: Share = 0.5;

/** Windows below these are warned of, and refused, by release 2026.2.1. */
export const WARN_BELOW_TOKENS: Tokens = 32_000;
export const BLOCK_BELOW_TOKENS: Tokens = 16_000;
/** The same of 2026.9.6: the larger of a number and a share of the reference window. */
export const CURRENT_WARN_BELOW_TOKENS: Tokens = 8_000;
export const CURRENT_BLOCK_BELOW_TOKENS: Tokens = 4_000;
export const CURRENT_WARN_SHARE: Share = 0.2;
export const CURRENT_BLOCK_SHARE: Share = 0.1;

/** Most of the window that 2026.9.6 reserves. */
export const MAX_RESERVE_SHARE: Share = 0.25;
/** Estimates are taken to be this much too low. */
export const PRESSURE_MARGIN = 1.2;

/** Pruning of old tool results in memory. */
export const PRUNING_TTL_MINUTES = 60;
export const KEEP_LAST_ASSISTANTS = 3;
export const SOFT_TRIM_SHARE: Share = 0.3;
export const HARD_CLEAR_SHARE: Share = 0.5;
export const MIN_PRUNABLE_CHARS: Chars = 50_000;
export const SOFT_TRIM_CHARS: Chars = 4_000;
export const SOFT_TRIM_HEAD_CHARS: Chars = 1_500;
export const SOFT_TRIM_TAIL_CHARS: Chars = 1_500;
export const CLEARED_PLACEHOLDER = "[Old tool result content cleared]";
/** Chars of an image, and of a message that is none of user, assistant and tool result, when old results are pruned. */
export const PRUNING_IMAGE_CHARS: Chars = 8_000;
export const PRUNING_OTHER_CHARS: Chars = 256;

/** Share of the window in chars for one tool result, and for all of them. */
const RESULT_SHARE: Share = 0.3;
const AGGREGATE_SHARE: Share = 0.5;
const AGGREGATE_RESULTS = 4;
const CHARS_PER_TOKEN = 4;

/** Whether a history is compacted. Source: README.md, "When it compacts"; 2026.9.6 also asks for a window that is a number above 0. */
export function isAboveThreshold(
  contextTokens: Tokens,
  window: Tokens,
  settings: { readonly enabled: boolean; readonly reserveTokens: Tokens },
  current: boolean,
): boolean {
  if (!settings.enabled) return false;
  if (current && !(Number.isFinite(window) && window > 0)) return false;
  return contextTokens > window - settings.reserveTokens;
}

/** The reserve in force: pi's own, raised to the floor. */
export function reserveInForce(reserveTokens: Tokens, floor: Tokens): Tokens {
  return Math.max(reserveTokens, floor);
}

/** The reserve of 2026.9.6 for the check before a prompt: at most a quarter of the window. */
export function effectiveReserve(window: Tokens, reserveTokens: Tokens): Tokens {
  const budget = Math.max(1, Math.floor(window));
  return Math.min(Math.max(0, Math.floor(reserveTokens)), Math.floor(budget * MAX_RESERVE_SHARE));
}

/** Size from which memories are written down before a compaction; 0 where there is no room for it. */
export function memoryFlushThreshold(window: Tokens, reserveFloor: Tokens, softTokens: Tokens): Tokens {
  const whole = Math.max(1, Math.floor(window));
  return Math.max(0, whole - Math.max(0, Math.floor(reserveFloor)) - Math.max(0, Math.floor(softTokens)));
}

/** Most chars of a tool result by the window alone. */
export function autoResultChars(window: Tokens): Chars {
  const tokens = Math.floor(window);
  if (!Number.isFinite(window) || tokens < 100_000) return 16_000;
  return tokens >= 200_000 ? 64_000 : 32_000;
}

/** Most chars of a tool result that is sent. Not a number where the window is none, negative where it is. */
export function liveResultChars(window: Tokens): Chars {
  return Math.min(Math.floor(window * RESULT_SHARE) * CHARS_PER_TOKEN, autoResultChars(window));
}

/** Most chars of all tool results together. */
export function aggregateResultChars(window: Tokens, perResult: Chars = liveResultChars(window)): Chars {
  const whole = Number.isFinite(window) ? Math.max(1, Math.floor(window)) : 1;
  return Math.max(
    Math.max(1, Math.floor(perResult)) * AGGREGATE_RESULTS,
    Math.floor(whole * CHARS_PER_TOKEN * AGGREGATE_SHARE),
  );
}

/** What begins with a row: where a compaction may cut, and what starts a turn. Value of the measure `openclaw.cut`. */
export const CUT = {
  /** Goes on with what began before. */
  INSIDE: 0,
  /** A user message, or a shell run of the person's: a turn starts. */
  TURN: 1,
  RESPONSE: 2,
  /** A tool result: never cut at. */
  RESULT: 3,
  /** An entry that is sent as a message but is none of the session's: an extension's, a branch's summary. */
  ENTRY: 4,
  /** What the runtime puts in for one prompt: not cut at by 2026.9.6. */
  CARRIER: 5,
  /** Another message that may be cut at: a summary as a message. */
  MESSAGE: 6,
  /** A response that was given up: its calls were never run. */
  FAILED: 7,
} as const;

/** Whether a response begins here. */
export function isResponse(cut: number): boolean {
  return cut === CUT.RESPONSE || cut === CUT.FAILED;
}

/** Measures that the policy and the report read where they are there; `openClawMeasures` of the server half computes them. */
export const OPENCLAW_MEASURES = [
  "openclaw.cut",
  "openclaw.weightedChars",
  "openclaw.pressure",
  "openclaw.fileEnd",
  "openclaw.callChars",
  "openclaw.trimUnits",
  "openclaw.trimmedChars",
  "openclaw.givenChars",
  "openclaw.givenWeighted",
  "openclaw.failureChars",
  "openclaw.fileChars",
] as const;
export type OpenClawMeasure = (typeof OPENCLAW_MEASURES)[number];

/** What a tool's output is cut to before it enters the history. Source: openclaw@2026.2.1, exec; pi 0.51, core/tools. */
export const EXEC_OUTPUT_CHARS: Chars = 200_000;
export const READ_OUTPUT_BYTES: Bytes = 51_200;
export const READ_OUTPUT_LINES = 2000;

/** How much larger the provider's tokens are than the estimate: the budget shrinks by it, but not below one token. */
export function budgetScale(usageTokens: Tokens, estimated: Tokens, keepRecentTokens: Tokens): number {
  if (!(estimated > 0)) return 1;
  return Math.min(Math.max(1, keepRecentTokens), Math.max(1, usageTokens / estimated));
}

/** What 2026.9.6 does with a prompt that is too long. */
export type PromptRoute = "fits" | "compact_only" | "truncate_tool_results_only" | "compact_then_truncate";

/** Room that truncation must leave for it to be enough. */
const ROUTE_BUFFER_TOKENS: Tokens = 512;
const ROUTE_MARGIN = 1.5;

/** By how much the prompt is too long, and how many chars tool results could give up. */
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
