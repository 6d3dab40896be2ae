import type { Bytes, Chars, Tokens } from "@/lib/core/base/units";

/** Tokens kept free for the next response. Source of the constants here: README.md, "Rules". */
export const RESERVE_TOKENS: Tokens = 16_384;

/** Minimum tokens of the newest messages to keep. */
export const KEEP_RECENT_TOKENS: Tokens = 20_000;

/** UTF-16 units that an image counts as, whatever its size: 1,200 tokens. */
export const IMAGE_CHARS: Chars = 4800;

/** UTF-16 units to which a result is cut in the text that is summarised, since 0.56.3. */
export const SUMMARY_RESULT_CHARS: Chars = 2000;

/** Maximum lines of a tool's output on entry. */
export const OUTPUT_LINES = 2000;

/** Maximum bytes of a tool's output on entry. */
export const OUTPUT_BYTES: Bytes = 50 * 1024;

/**
 * In `current`, a response that broke off without output counts as an overflow if its input took this share of the window. Source: README.md,
 * "Overflow errors".
 */
export const FILLED_SHARE = 0.99;

/**
 * A summary is added to a branch's text even beyond the budget, as long as less than this share of the budget is used. Source: README.md, "Branch
 * summaries".
 */
export const ROOM_FOR_SUMMARY = 0.9;

/** The summary's text if there was no history to summarise. Source: README.md, "Summary text". */
export const NO_HISTORY = "No prior history.";

/** The heading before the summary of a turn's beginning, if the cut splits the turn. Source: README.md, "Summary text". */
export const TURN_CONTEXT = "\n\n---\n\n**Turn Context (split turn):**\n\n";

/** The text that is sent as the result of a call without one. Source: README.md, "Sent messages". */
export const NO_RESULT = "No result provided";

/** Values of the measure `pi.cut`: kind of message that begins at a row. */
export const CUT = {
  /** Nothing begins: the row continues the previous one. */
  INSIDE: 0,
  /** Another message before which pi may cut: a summary, or an extension's message in earlier formats. */
  MESSAGE: 1,
  /** A tool's result: pi never cuts before one. */
  RESULT: 2,
  /** An extension's message or a branch's summary: each has its own kind of entry. */
  ENTRY: 3,
  /** A turn: a user message, or a command that the user ran. */
  TURN: 4,
  RESPONSE: 5,
} as const;

/** Measures that the policy reads if the columns have them; `piMeasures` on the server computes them. */
export const PI_MEASURES = ["pi.cut", "pi.fileChars", "pi.outputChars", "pi.unsent"] as const;
export type PiMeasure = (typeof PI_MEASURES)[number];
