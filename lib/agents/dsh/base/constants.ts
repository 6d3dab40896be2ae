import type { Chars, Share, Tokens } from "@/lib/core/base/units";
import type { Source } from "@/lib/core/compaction/policy/settings";

/** Names a place in the program as a source. README.md, "Rules", says where it was read. */
const code = (file: string): Source => ({ kind: "code", text: `toninfo/deepseek-harness 6116156, packages/${file}` });

export const COMPACTION_CODE = code("compaction/compaction-basic/src/config.ts");
export const SUMMARY_CODE = code("compaction/compaction-basic/src/summarizer.ts");
export const PRUNER_CODE = code("compaction/compaction-tool-result-pruner/src/config.ts");
export const METER_CODE = code("llm/token-meter/src/estimate.ts");

/** Share of the window at which a compaction starts, and share of it that the newest messages keep. */
export const TRIGGER_SHARE: Share = 0.8;
export const RETAIN_SHARE: Share = 0.16;

/** Longer results keep this many characters of their beginning and of their end, with a marker between them. */
export const LONG_RESULT_CHARS: Chars = 8192;
export const HEAD_CHARS: Chars = 4096;
export const TAIL_CHARS: Chars = 1024;
export const MARKER_CHARS: Chars = 39;

/** The program's token count for a block and for a message, in addition to their characters. */
export const BLOCK_TOKENS: Tokens = 4;
export const MESSAGE_TOKENS: Tokens = 4;

/** Length of the request for a summary, which follows the conversation. */
export const INSTRUCTION_CHARS: Chars = 1802;
