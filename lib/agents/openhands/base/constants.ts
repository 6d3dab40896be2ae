import type { Chars, Share, Tokens } from "@/lib/core/base/units";
import type { Source } from "@/lib/core/compaction/policy/settings";

/** Names a place in the software agent SDK as a source. README.md, "Rules", says where it was read. */
const sdk = (file: string): Source => ({
  kind: "code",
  text: `OpenHands/software-agent-sdk 1.43.1, openhands-sdk/openhands/sdk/${file}`,
});
/** The same for the last release before the SDK. */
const before = (file: string): Source => ({ kind: "code", text: `All-Hands-AI/OpenHands 0.62.0, openhands/${file}` });

export const CONDENSER_CODE = sdk("context/condenser/llm_summarizing_condenser.py");
export const SETTINGS_CODE = sdk("settings/model.py");
export const EVENT_CODE = sdk("event/base.py: N_CHAR_PREVIEW");
export const OLD_CONDENSER_CODE = before("memory/condenser/impl/llm_summarizing_condenser.py");
export const OLD_SESSION_CODE = before("server/session/session.py");

/** Number of events above which a condensation is due, and number of first events to keep. */
export const MAX_EVENTS = 240;
export const KEEP_FIRST = 2;
/** The same before the SDK. */
export const OLD_MAX_EVENTS = 120;
export const OLD_KEEP_FIRST = 4;
/** Smallest limit with which a condensation is possible. */
export const FEWEST_EVENTS = 4;
/** Share of the events that a condensation must forget. */
export const MINIMUM_PROGRESS: Share = 0.1;

/** Characters of an event that its summary call holds. */
export const EVENT_CHARS: Chars = 500;
export const OLD_EVENT_CHARS: Chars = 10_000;
/** Tokens of the call's prompt: a quarter of its characters. */
export const PROMPT_TOKENS: Tokens = 504;
export const OLD_PROMPT_TOKENS: Tokens = 517;
/** Tokens of the tags and the heading around an event: a quarter of their characters. */
export const EVENT_FRAME_TOKENS: Tokens = 18;
export const OLD_EVENT_FRAME_TOKENS: Tokens = 8;
