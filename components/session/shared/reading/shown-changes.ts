import type { FileChange } from "./file-change";

/** A file's head takes as long to draw as some lines. */
const HEAD_LINES = 8;

/** How much of some changes is shown. */
interface ShownChanges {
  /** The first changes, with the number of lines that are shown of each. */
  readonly shown: readonly { readonly change: FileChange; readonly lines: number }[];
  /** Lines that are not shown; a file without lines counts as one. */
  readonly left: number;
}

/** As many of the lines of some changes as may be drawn, in their order. @param most lines, with the heads of files among them */
export function shownChanges(changes: readonly FileChange[], most: number): ShownChanges {
  const shown: { change: FileChange; lines: number }[] = [];
  let room = most;
  let left = 0;
  for (const change of changes) {
    room -= HEAD_LINES;
    const lines = Math.max(0, Math.min(change.lines.length, room));
    if (room >= 0) shown.push({ change, lines });
    left += room >= 0 ? change.lines.length - lines : Math.max(1, change.lines.length);
    room -= lines;
  }
  return { shown, left };
}
