import type { Tokens } from "@/lib/core/base/units";

/** Newest user and assistant messages that a compaction keeps, with the results between them. Source of all constants: README.md, "Compaction". */
export const KEPT_MESSAGES = 2;

/** Tokens kept free for a response. */
export const RESERVED_TOKENS: Tokens = 50_000;

/** Share of the window at which a compaction starts. */
export const TRIGGER_RATIO = 0.85;
