import type { Chars, Tokens } from "@/lib/core/base/units";
import type { Source } from "@/lib/core/compaction/settings";

/** Figures of release 1.18.15. Source: systems/opencode.md. */
const code = (what: string): Source => ({ kind: "code", text: `opencode 1.18.15, ${what}` });

export const COUNTING_CODE = code("util/token.ts: Token.estimate");
export const OVERFLOW_CODE = code("session/overflow.ts");
export const PANEL_CODE = code("context panel");
export const COMPACTION_CODE = code("session/compaction.ts");

/** Characters (UTF-16 units) a token. */
export const CHARS_PER_TOKEN: Chars = 4;
/** Longest answer that is asked for, whatever the model allows. */
export const MAX_OUTPUT_TOKENS: Tokens = 32_000;
/** Room below a model's input limit, where the answer takes no more. */
export const RESERVED_TOKENS: Tokens = 20_000;
/** Turns of which a tail may stay. */
export const TAIL_TURNS = 2;
/** Share of the usable window that the tail may take, and its bounds. */
export const TAIL_SHARE = 0.25;
export const TAIL_LEAST: Tokens = 2000;
export const TAIL_MOST: Tokens = 8000;
/** Newest tool output that is never cleared, and the least that is cleared at once. */
export const PRUNE_PROTECT: Tokens = 40_000;
export const PRUNE_MINIMUM: Tokens = 20_000;
/** Newest turns whose tool output is never cleared. */
export const PRUNE_TURNS = 2;
/** The one tool whose output is never cleared. */
export const KEPT_TOOL = "skill";
export const CLEARED_TEXT = "[Old tool result content cleared]";
/** What a compaction is to the model: a question that the summary answers. */
export const COMPACTION_QUESTION = "What did we do so far?";
export const CONTINUE_TEXT =
  "Continue if you have next steps, or stop and ask for clarification if you are unsure how to proceed.";
