import { FLAG } from "@/lib/core/columns/columns";
import type { ResumeRule } from "@/lib/core/context/resume";

/**
 * A resume loads the list of messages as the file leaves it, without commands and thoughts: it builds the history from contents and calls alone.
 * `resumedHistory` is the exact form.
 */
export const loadsMessagesButCommands: ResumeRule =
  ({ columns, live, kind }) =>
  (row) =>
    live(row) && kind(row) !== "thinking" && ((columns.flags[row] ?? 0) & FLAG.NOT_RESUMED) === 0;
