import type { Chars, Share, Tokens } from "@/lib/core/base/units";
import type { Source } from "@/lib/core/compaction/policy/settings";

/** Names a place in the last release that wrote tasks. README.md, "Compaction", says where it was read. */
const code = (file: string): Source => ({ kind: "code", text: `cline/cline v3.89.2, apps/vscode/src/${file}` });

export const WINDOW_CODE = code("core/context/context-management/context-window-utils.ts");
export const MANAGER_CODE = code("core/context/context-management/ContextManager.ts");
export const NOTICE_CODE = code("core/prompts/responses.ts");
export const STATE_CODE = code("shared/storage/state-keys.ts: useAutoCondense");

/** Reserves of small windows; other windows keep free a fixed number of tokens or a share, whichever is smaller. */
export const SMALL_WINDOW: Tokens = 64_000;
export const SMALL_WINDOW_RESERVE: Tokens = 27_000;
export const MEDIUM_WINDOW: Tokens = 128_000;
export const MEDIUM_WINDOW_RESERVE: Tokens = 30_000;
export const OTHER_RESERVE: Tokens = 40_000;
export const OTHER_USABLE: Share = 0.8;

/** Minimum share of characters that notes on repeated file reads must save; below it, messages are dropped too. */
export const SAVED_ENOUGH: Share = 0.3;

/** Result that is sent for a call of the API without one. */
export const MISSING_RESULT = "result missing";

/** Lengths of the program's notes. A heading and the path of the file are not included. */
export const READ_NOTE_CHARS: Chars = 153;
export const WRITE_NOTE_CHARS: Chars = 670;
export const TRUNCATION_NOTE_CHARS: Chars = 336;
export const TASK_NOTE_CHARS: Chars = 30;
