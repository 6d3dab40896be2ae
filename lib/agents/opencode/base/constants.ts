import type { Chars, Tokens } from "@/lib/core/base/units";
import type { Source } from "@/lib/core/compaction/policy/settings";

/** Names a place in the program of release 1.18.15 as a source. README.md, "Rules", says where its files were read. */
const code = (what: string): Source => ({ kind: "code", text: `opencode 1.18.15, ${what}` });

export const COUNTING_CODE = code("util/token.ts: Token.estimate");
export const OVERFLOW_CODE = code("session/overflow.ts");
export const PANEL_CODE = code("context panel");
export const COMPACTION_CODE = code("session/compaction.ts");

/** How many characters (UTF-16 units) count as one token. */
export const CHARS_PER_TOKEN: Chars = 4;
/** The longest answer that is requested, whatever the model allows. */
export const MAX_OUTPUT_TOKENS: Tokens = 32_000;
/** Tokens that stay free below a model's input limit; less where the longest answer is shorter. */
export const RESERVED_TOKENS: Tokens = 20_000;
/** From how many of the newest turns the tail may be taken. */
export const TAIL_TURNS = 2;
/** Share of the usable window that the tail may take, and its bounds. */
export const TAIL_SHARE = 0.25;
export const TAIL_LEAST: Tokens = 2000;
export const TAIL_MOST: Tokens = 8000;
/** Tokens of the newest tool output that are never cleared, and how much older output there must be before any is cleared. */
export const PRUNE_PROTECT: Tokens = 40_000;
export const PRUNE_MINIMUM: Tokens = 20_000;
/** How many of the newest turns keep their tool output. */
export const PRUNE_TURNS = 2;
/** The one tool whose output is never cleared. */
export const KEPT_TOOL = "skill";
export const CLEARED_TEXT = "[Old tool result content cleared]";
/** What the model reads as the error of a call that is pending or running. Source: opencode 1.18.15, session/message-v2.ts: toModelMessages. */
export const INTERRUPTED_TEXT = "[Tool execution was interrupted]";
/** What the model reads in place of a compaction: a question, which the summary answers. */
export const COMPACTION_QUESTION = "What did we do so far?";
export const CONTINUE_TEXT =
  "Continue if you have next steps, or stop and ask for clarification if you are unsure how to proceed.";
