import { type BrowserProfile, type Constant, constant } from "@/lib/agents/shared/profile";
import { taskPlaces } from "@/lib/agents/shared/vs-code-places";
import * as limits from "./base/constants";
import { presetFor } from "./base/presets";
import { clinePolicy } from "./policy/policy";

const { WINDOW_CODE, MANAGER_CODE, NOTICE_CODE } = limits;

/** Browser profile of Cline. */
export const profile = {
  defaultWindow: constant(limits.MEDIUM_WINDOW, "tokens", WINDOW_CODE),
  /** Source: README.md, "Where sessions are stored". */
  places: taskPlaces(["saoudrizwan.claude-dev"], [".cline/data"]),
  policy: clinePolicy,
  summaryCall: { sharesPrefix: () => true, source: MANAGER_CODE },
  presetFor,
  constants: {
    smallWindow: constant(limits.SMALL_WINDOW, "tokens", WINDOW_CODE),
    smallWindowReserve: constant(limits.SMALL_WINDOW_RESERVE, "tokens", WINDOW_CODE),
    mediumWindow: constant(limits.MEDIUM_WINDOW, "tokens", WINDOW_CODE),
    mediumWindowReserve: constant(limits.MEDIUM_WINDOW_RESERVE, "tokens", WINDOW_CODE),
    otherReserve: constant(limits.OTHER_RESERVE, "tokens", WINDOW_CODE),
    otherUsable: constant(limits.OTHER_USABLE, "share", WINDOW_CODE),
    savedEnough: constant(limits.SAVED_ENOUGH, "share", MANAGER_CODE),
    readNoteChars: constant(limits.READ_NOTE_CHARS, "chars", NOTICE_CODE),
    writeNoteChars: constant(limits.WRITE_NOTE_CHARS, "chars", NOTICE_CODE),
    truncationNoteChars: constant(limits.TRUNCATION_NOTE_CHARS, "chars", NOTICE_CODE),
    taskNoteChars: constant(limits.TASK_NOTE_CHARS, "chars", NOTICE_CODE),
  } satisfies Record<string, Constant>,
} as const satisfies BrowserProfile;
