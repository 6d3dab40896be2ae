import type { Bytes, Chars, Tokens } from "@/lib/core/base/units";

/** Tokens below the window that stay free for the next response. Source of the constants here: README.md, "Rules". */
export const RESERVE_TOKENS: Tokens = 16_384;

/** Tokens of the newest messages that stay, at least. */
export const KEEP_RECENT_TOKENS: Tokens = 20_000;

/** UTF-16 units that an image counts for, whatever its size: 1,200 tokens. */
export const IMAGE_CHARS: Chars = 4800;

/** UTF-16 units to which a result is cut in the text that is summarised, from 0.56.3 on. */
export const SUMMARY_RESULT_CHARS: Chars = 2000;

/** Lines that a tool's output is cut to. */
export const OUTPUT_LINES = 2000;

/** Bytes that a tool's output is cut to. */
export const OUTPUT_BYTES: Bytes = 50 * 1024;

/**
 * A response of `current` that broke off without output was an overflow where its input took this share of the window.
 * Source: README.md, "Overflow errors".
 */
export const FILLED_SHARE = 0.99;

/** A summary is taken into a branch's text beyond the budget while less than this share of it is used. Source: README.md, "Branch summaries". */
export const ROOM_FOR_SUMMARY = 0.9;

/** What a summary says where there was no history to summarise. Source: README.md, "Summary text". */
export const NO_HISTORY = "No prior history.";

/** What stands before the summary of the beginning of a turn that the cut splits. Source: README.md, "Summary text". */
export const TURN_CONTEXT = "\n\n---\n\n**Turn Context (split turn):**\n\n";

/** Values of the measure `pi.cut`: what begins with a row. */
export const CUT = {
  /** The row goes on with what began before. */
  INSIDE: 0,
  /** Another message that pi may cut before: a summary, or an extension's message of earlier formats. */
  MESSAGE: 1,
  /** A tool's result, before which pi never cuts. */
  RESULT: 2,
  /** The message of an extension, or a branch's summary. Each is an entry of its own kind. */
  ENTRY: 3,
  /** A user message, or a command that the user ran: a turn starts. */
  TURN: 4,
  RESPONSE: 5,
} as const;

/** Measures that the policy reads where they are there; `piMeasures` of the server half computes them. */
export const PI_MEASURES = ["pi.cut", "pi.fileChars", "pi.outputChars"] as const;
export type PiMeasure = (typeof PI_MEASURES)[number];
