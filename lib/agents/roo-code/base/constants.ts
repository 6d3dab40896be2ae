import type { Chars, Share, Tokens } from "@/lib/core/base/units";
import type { Source } from "@/lib/core/compaction/policy/settings";

/** Names a place in the program as a source. README.md, "Compaction", says where it was read. */
const code = (file: string): Source => ({ kind: "code", text: `RooCodeInc/Roo-Code cb836567, ${file}` });

export const MANAGEMENT_CODE = code("src/core/context-management/index.ts");
export const CONDENSE_CODE = code("src/core/condense/index.ts");
export const SETTINGS_CODE = code("packages/types/src/global-settings.ts");
export const OUTPUT_CODE = code("packages/types/src/providers/anthropic.ts");

/** Percentage of the window at which a summary is made. */
export const CONDENSE_PERCENT = 100;
/** Share of the window kept free in addition to the longest answer. */
export const BUFFER_SHARE: Share = 0.1;
/** Longest answer of a model whose entry states none. */
export const OUTPUT_TOKENS: Tokens = 8192;
/** Share of the messages after the first that a truncation hides, rounded to pairs. */
export const HIDDEN_SHARE: Share = 0.5;
/** Length of the marker in their place, with a number of two digits. */
export const MARKER_CHARS: Chars = 65;
/** Number of newest messages kept with a summary before v3.43.0; none since then. */
export const KEPT_MESSAGES = 3;
