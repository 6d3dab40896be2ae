import type { Bytes, Chars, Tokens } from "@/lib/core/base/units";

/** Left free below the window for the next response. Source: systems/pi.md §1. */
export const RESERVE_TOKENS: Tokens = 16_384;

/** The newest messages that stay, at least. Source: systems/pi.md §1. */
export const KEEP_RECENT_TOKENS: Tokens = 20_000;

/** What an image counts for, whatever its size: 1,200 tokens. Source: systems/pi.md §1. */
export const IMAGE_CHARS: Chars = 4800;

/** A result in a summary's input is cut to this many UTF-16 units (from 0.56.3 on). Source: systems/pi.md §1. */
export const SUMMARY_RESULT_CHARS: Chars = 2000;

/** Lines that a tool's output is cut to. Source: systems/pi.md §1. */
export const OUTPUT_LINES = 2000;

/** Bytes that a tool's output is cut to. Source: systems/pi.md §1. */
export const OUTPUT_BYTES: Bytes = 50 * 1024;

/** Share of the window at which a response cut short without output was an overflow (`current`). Source: systems/pi.md §9.1, C. */
export const FILLED_SHARE = 0.99;

/** A branch's summary goes beyond its budget while less than this share is used. Source: systems/pi.md §9.3. */
export const ROOM_FOR_SUMMARY = 0.9;

/** What a summary says where no history was to be summarised. Source: systems/pi.md §6. */
export const NO_HISTORY = "No prior history.";

/** What stands before the summary of the beginning of a turn that the cut splits. Source: systems/pi.md §6. */
export const TURN_CONTEXT = "\n\n---\n\n**Turn Context (split turn):**\n\n";

/** Values of the measure `pi.cut`: what begins with a row. */
export const CUT = {
  /** Goes on with what began before. */
  INSIDE: 0,
  /** Another message that pi may cut before: a summary, an extension's of old. */
  MESSAGE: 1,
  /** A tool's result: never cut before. */
  RESULT: 2,
  /** The message of an extension, or a branch's summary: an entry of its own kind. */
  ENTRY: 3,
  /** A user message, or a command that the user ran: a turn starts. */
  TURN: 4,
  RESPONSE: 5,
} as const;

/** Measures that the policy reads where they are there; `piMeasures` of the server half computes them. */
export const PI_MEASURES = ["pi.cut", "pi.fileChars", "pi.outputChars"] as const;
export type PiMeasure = (typeof PI_MEASURES)[number];
