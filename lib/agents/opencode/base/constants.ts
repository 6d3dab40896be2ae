import type { Chars, Tokens } from "@/lib/core/base/units";
import type { Source } from "@/lib/core/compaction/policy/settings";

/** Source note for a place in the program, release 1.18.15. README.md, "Rules", says where its files were read. */
const code = (what: string): Source => ({ kind: "code", text: `opencode 1.18.15, ${what}` });

export const COUNTING_CODE = code("util/token.ts: Token.estimate");
export const OVERFLOW_CODE = code("session/overflow.ts");
/** A model's entry in the configuration replaces the limits of the model list. */
export const INPUT_LIMIT_CODE = code("provider/provider.ts: limit.input");
export const PANEL_CODE = code("context panel");
export const COMPACTION_CODE = code("session/compaction.ts");

/** Number of characters (UTF-16 units) that count as one token. */
export const CHARS_PER_TOKEN: Chars = 4;
/** The longest requested answer, whatever the model allows. */
export const MAX_OUTPUT_TOKENS: Tokens = 32_000;
/** Tokens that stay free below a model's input limit; less if the longest answer is shorter. */
export const RESERVED_TOKENS: Tokens = 20_000;
/** Number of newest turns from which the tail may be taken. */
export const TAIL_TURNS = 2;
/** Share of the usable window that the tail may take, and its bounds. */
export const TAIL_SHARE = 0.25;
export const TAIL_LEAST: Tokens = 2000;
export const TAIL_MOST: Tokens = 8000;
/** Tokens of the newest tool output that are never cleared, and minimum of older output before any is cleared. */
export const PRUNE_PROTECT: Tokens = 40_000;
export const PRUNE_MINIMUM: Tokens = 20_000;
/** Number of newest turns that keep their tool output. */
export const PRUNE_TURNS = 2;
/** The one tool whose output is never cleared. */
export const KEPT_TOOL = "skill";
export const CLEARED_TEXT = "[Old tool result content cleared]";
/** Error text that the model reads for a call that is pending or running. Source: opencode 1.18.15, session/message-v2.ts: toModelMessages. */
export const INTERRUPTED_TEXT = "[Tool execution was interrupted]";
/** Text that replaces a compaction for the model: a question, which the summary answers. */
export const COMPACTION_QUESTION = "What did we do so far?";
export const CONTINUE_TEXT =
  "Continue if you have next steps, or stop and ask for clarification if you are unsure how to proceed.";
