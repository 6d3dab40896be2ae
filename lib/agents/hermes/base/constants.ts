import type { Chars, Share, Tokens } from "@/lib/core/base/units";
import type { Source } from "@/lib/core/compaction/policy/settings";

/** Names a place in the program as a source. README.md, "Rules", says where it was read. */
const code = (file: string): Source => ({ kind: "code", text: `NousResearch/hermes-agent 0.18.0, ${file}` });

export const COMPRESSOR_CODE = code("agent/context_compressor.py");
export const CONFIG_CODE = code("hermes_cli/config.py: compression");
export const MINIMUM_CODE = code("agent/model_metadata.py: MINIMUM_CONTEXT_LENGTH");

/** Share of the window, less the longest answer, at which a compaction starts; at least the minimum, unless that does not fit. */
export const TRIGGER_SHARE: Share = 0.5;
export const MINIMUM_TRIGGER: Tokens = 64_000;
export const SMALL_WINDOW_SHARE: Share = 0.85;

/** Number of first messages that the first compaction keeps. */
export const PROTECT_FIRST = 3;
/** Number of newest messages whose results are not shortened. */
export const PROTECT_LAST = 20;
/** Bounds of the number of newest messages that are kept whatever their size. */
export const MAX_LAST = 8;
export const FEWEST_LAST = 3;
/** A history with fewer messages after the first ones is not compacted. */
export const FEWEST_BESIDE = 4;
/** Budget of the newest messages, as a share of the trigger; one message may exceed it by half. */
export const TARGET_SHARE: Share = 0.2;
export const MIN_TARGET_SHARE: Share = 0.1;
export const MAX_TARGET_SHARE: Share = 0.8;
export const SOFT_FACTOR = 1.5;

/** The program's count of a message without its content, of a call without its arguments, and of an image. */
export const MESSAGE_TOKENS: Tokens = 10;
export const CALL_TOKENS: Tokens = 28;
export const IMAGE_TOKENS: Tokens = 1600;

/** A result above its limit is shortened to one line, long arguments to the beginnings of their texts; the sizes of both are averages. */
export const LONG_RESULT_CHARS: Chars = 200;
export const LONG_ARGUMENTS_CHARS: Chars = 500;
export const RESULT_LINE_CHARS: Chars = 60;
export const SHORT_ARGUMENTS_CHARS: Chars = 223;
/** The sentence in place of an image. */
export const IMAGE_LINE_CHARS: Chars = 45;

/** Result that is sent for a call without one. */
export const UNAVAILABLE_RESULT = "[Result unavailable — see context summary above]";

/** Prompt of the summary call. */
export const PROMPT_CHARS: Chars = 5886;
/** Label around each message in the summary call. */
export const FRAME_CHARS: Chars = 15;
/** A message longer than the limit is cut to the second length in the summary call. */
export const CONTENT_CHARS: Chars = 6000;
export const CUT_CONTENT_CHARS: Chars = 5519;
/** The same for the arguments of a call. */
export const ARGUMENTS_CHARS: Chars = 1500;
export const CUT_ARGUMENTS_CHARS: Chars = 1203;
/** Maximum length of the text that replaces a failed summary. */
export const FALLBACK_CHARS: Chars = 8000;

/** A compaction that saves less than this share is ineffective. After `MAX_INEFFECTIVE` of them in a row, the program stops compacting. */
export const EFFECTIVE_SAVING: Share = 0.1;
export const MAX_INEFFECTIVE = 2;
