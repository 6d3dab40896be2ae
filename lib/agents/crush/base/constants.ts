import type { Share, Tokens } from "@/lib/core/base/units";
import type { Source } from "@/lib/core/compaction/policy/settings";

/** Source note for a place in the program. README.md, "Rules", says where it was read. */
const code = (what: string): Source => ({ kind: "code", text: `charmbracelet/crush 37f36e9, ${what}` });

export const AGENT_CODE = code("internal/agent/agent.go");
export const WINDOW_CODE = code("internal/config/config.go: providers, models, context_window");

/** Windows above this size keep a fixed number of tokens free, smaller ones and this one a share. */
export const LARGE_WINDOW: Tokens = 200_000;
export const LARGE_WINDOW_BUFFER: Tokens = 20_000;
export const SMALL_WINDOW_RATIO: Share = 0.2;

/** Error that is sent for a call without a result. */
export const MISSING_RESULT =
  "tool call was interrupted and did not produce a result, you may retry this call if the result is still needed";

/** Beginning of the prompt that follows an automatic compaction within a turn; the turn's own prompt and an end quote come after it. */
export const CONTINUATION_PREFIX =
  "The previous session was interrupted because it got too long, the initial user request was: `";
