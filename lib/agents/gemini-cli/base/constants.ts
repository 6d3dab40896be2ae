import type { Chars, Tokens } from "@/lib/core/base/units";
import type { Source } from "@/lib/core/compaction/policy/settings";

/** Constants of release 0.61.0 (cc0107ed2). Source: README.md, "Rules". */
const code = (what: string): Source => ({ kind: "code", text: `@google/gemini-cli-core 0.61.0, ${what}` });

export const COUNTING_CODE = code("tokenCalculation: estimateTokenCountSync");
export const COMPRESSION_CODE = code("chatCompressionService");
export const MASKING_CODE = code("toolOutputMaskingService");
export const TRUNCATION_CODE = code("formatTruncatedToolOutput and its setting");
export const WINDOW_CODE = code("tokenLimits");

/** Tokens for a UTF-16 unit up to 127, and for any other. */
export const ASCII_TOKENS = 0.25;
export const OTHER_TOKENS = 1.5;
/** Length above which every UTF-16 unit of a text counts a quarter of a token, whatever it is. */
export const EXACT_CHARS: Chars = 100_000;
export const IMAGE_TOKENS: Tokens = 3000;
export const PDF_TOKENS: Tokens = 25_800;

export const DEFAULT_WINDOW: Tokens = 1_048_576;

/** Share of the window that triggers a compression. */
export const THRESHOLD = 0.5;
/** Share of the history, by its JSON, to keep. */
export const PRESERVE = 0.3;
/** Budget for tool responses that are kept whole, newest first. */
export const TOOL_RESPONSE_TOKENS: Tokens = 50_000;
/** Length above which a tool's output is cut. */
export const OUTPUT_CHARS: Chars = 40_000;
/** Share of a cut output that its head gets. */
export const HEAD_SHARE = 0.2;

export const MASK_PROTECTED_TOKENS: Tokens = 50_000;
export const MASK_MINIMUM_TOKENS: Tokens = 30_000;

/** Message after a summary, as if the model had answered it. */
export const ACKNOWLEDGEMENT = "Got it. Thanks for the additional context!";
export const SNAPSHOT_TAG = "<state_snapshot>";
export const MASKED_TAG = "<tool_output_masked";
