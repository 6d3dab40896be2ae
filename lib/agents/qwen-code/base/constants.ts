import type { Chars, Tokens } from "@/lib/core/base/units";
import type { Source } from "@/lib/core/compaction/policy/settings";

/** Qwen Code's numbers and the thresholds that follow from them, each with its source. Browser-safe. */

export const DOCUMENT = (section: string): Source => ({ kind: "document", text: `Qwen Code /context, ${section}` });
export const RELEASE = (file: string): Source => ({ kind: "code", text: `@qwen-code/qwen-code 0.12.0, ${file}` });
export const CURRENT = (file: string): Source => ({ kind: "code", text: `@qwen-code/qwen-code 0.24.4, ${file}` });

/** The window if none is configured, by preset. */
export const DEFAULT_WINDOW: Tokens = 131_072;
export const CURRENT_DEFAULT_WINDOW: Tokens = 200_000;

/** as-documented: the share of the window at which it compacts, and the share of the JSON that is kept after the split. */
export const COMPACT_SHARE = 0.7;
export const PRESERVE_SHARE = 0.3;
/** Assumed size of the compaction prompt, which is subtracted from the summary call's input when the new size is computed. */
export const PROMPT_TOKENS: Tokens = 1000;

/** current: the share of the window at which it compacts, and the tokens kept free below the window. */
export const AUTO_SHARE = 0.85;
export const SUMMARY_RESERVE: Tokens = 20_000;
export const AUTO_BUFFER: Tokens = 13_000;
export const WARN_BUFFER: Tokens = 20_000;
export const HARD_BUFFER: Tokens = 3_000;
/** Margin for the provider's own counting when the summary's budget is computed. */
export const BUDGET_MARGIN: Tokens = 1024;
/** Number of failed automatic compactions in a row after which it stops trying. */
export const MAX_FAILURES = 3;
/** Number of pictures in tool results that triggers a compaction, whatever the size. */
export const SCREENSHOT_TRIGGER = 20;
export const RESTORED_IMAGES = 3;
export const RESTORED_FILES = 5;
/** Size of the largest file that is restored whole, and of all restored files together. */
export const RESTORED_FILE_TOKENS: Tokens = 5_000;
export const RESTORED_TOKENS: Tokens = 50_000;

export const IMAGE_TOKENS: Tokens = 1600;
export const CHARS_PER_TOKEN = 4;
/** Chars that `estimateContentTokens` adds for a tool result, in addition to its text. */
export const RESPONSE_CHARS: Chars = 64;

/** The error that `current` sends as the result of a call without one. Source: README.md, "Calls without a result". */
export const MISSING_RESULT =
  "Tool execution result was not recorded — likely interrupted by network failure, abort, or process exit. Treat as failure and retry if needed.";

/** Micro-compaction of `current`. */
export const CLEAR_IDLE_MINUTES = 60;
export const CLEAR_ABOVE_CHARS: Chars = 500_000;
export const KEPT_RESULTS = 5;
export const CLEARED_RESULT = "[Old tool result content cleared]";
/** Tools whose results may be cleared, by their names in 0.24. */
export const CLEARABLE_TOOLS = [
  "read_file",
  "run_shell_command",
  "grep_search",
  "glob",
  "web_fetch",
  "web_search",
  "read_mcp_resource",
  "edit",
  "write_file",
  "skill",
] as const;
/** Names that older versions gave to the same tools. */
export const RENAMED_TOOLS: Readonly<Record<string, string>> = {
  search_file_content: "grep_search",
  replace: "edit",
  task: "agent",
};

/** Limits of a tool output, in characters and in lines. */
export const OUTPUT_CHARS: Chars = 25_000;
export const OUTPUT_LINES = 1000;

/** UTF-16 units of the summary prompt of `current`, and the line after the history that asks for the summary. */
export const SUMMARY_PROMPT_CHARS: Chars = 3582;
export const SUMMARY_DIRECTIVE = "First, reason in your <analysis> block. Then, produce the <state_snapshot> XML.";

/** The model's answer that the program generates after a summary. */
export const ACKNOWLEDGEMENT = "Got it. Thanks for the additional context!";

/** Texts around the files and pictures that `current` restores. */
export const LISTED_FILES =
  "The following files were recently accessed before context was compacted. They are listed as reference only because they are large. Use `read_file` to view current content for any file you need:";
export const EMBEDDED_FILE = "Recently accessed file (full current content embedded):";
export const RESTORED_PICTURES =
  "Recent visual snapshots preserved from before context was compacted (most recent last). Each image corresponds to a tool result or user-pasted image earlier in the conversation:";
export const USER_PICTURE = "user-provided image";

/** Size of the words that replace a picture in the request for a summary. */
export const PICTURE_WORD_TOKENS: Tokens = Math.ceil("[image: image/png]".length / CHARS_PER_TOKEN);

export interface Thresholds {
  readonly warn: Tokens;
  /** The size at which it compacts; may be a fraction. */
  readonly auto: Tokens;
  readonly hard: Tokens;
  /** The window minus the reserve for the summary. */
  readonly effectiveWindow: Tokens;
}

interface ThresholdSettings {
  readonly share?: number | undefined;
  readonly summaryReserve?: Tokens;
  readonly autoBuffer?: Tokens;
}

/**
 * Sizes at which `current` warns, compacts and refuses to send. A share that is absent or not finite becomes .85; any other is clamped to 0 to 1.
 * Source: README.md, "Thresholds".
 */
export function computeThresholds(window: Tokens, settings: ThresholdSettings = {}): Thresholds {
  const { share = AUTO_SHARE, summaryReserve = SUMMARY_RESERVE, autoBuffer = AUTO_BUFFER } = settings;
  const inForce = Math.min(1, Math.max(0, Number.isFinite(share) ? share : AUTO_SHARE));
  const effectiveWindow = Math.max(0, window - summaryReserve);
  const proportional = inForce * window;
  const ceiling = effectiveWindow - autoBuffer;
  const auto = ceiling > 0 ? Math.min(proportional, ceiling) : proportional;
  return {
    warn: Math.max(0, auto - WARN_BUFFER),
    auto,
    hard: Math.min(window, Math.max(effectiveWindow - HARD_BUFFER, auto + HARD_BUFFER)),
    effectiveWindow,
  };
}

/** Estimate of the prompt and of the line that ask for a summary. */
export const SUMMARY_REQUEST_TOKENS: Tokens =
  Math.ceil(SUMMARY_PROMPT_CHARS / CHARS_PER_TOKEN) + Math.ceil(SUMMARY_DIRECTIVE.length / CHARS_PER_TOKEN);

/** The summary's budget: the window minus the estimated input, limited to 1 to 20,000. Source: README.md, "Thresholds". */
export function summaryBudget(estimatedInput: Tokens, window: Tokens): Tokens {
  return Math.max(1, Math.min(SUMMARY_RESERVE, window - estimatedInput - BUDGET_MARGIN));
}

/** as-documented: tokens kept free below the window. It is 0 without a threshold, and negative with one above 1. */
export function autocompactBuffer(window: Tokens, threshold: number): Tokens {
  return threshold > 0 ? Math.round((1 - threshold) * window) : 0;
}
