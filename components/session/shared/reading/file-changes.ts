/** A line of a change: unchanged, added, removed, or the head of a part of the file. */
export interface ChangedLine {
  readonly sign: " " | "+" | "-" | "@";
  readonly text: string;
}

export interface FileChange {
  /** The file's path as in the call; empty if it names none. */
  readonly path: string;
  /** The path that the file is moved to. */
  readonly movedTo?: string;
  readonly what: "added" | "changed" | "removed";
  readonly lines: readonly ChangedLine[];
}

const BEGIN = "*** Begin Patch";
const FILE = /^\*\*\* (Add|Update|Delete) File: (.*)$/;
const MOVE = /^\*\*\* Move to: (.*)$/;
const WHAT = { Add: "added", Update: "changed", Delete: "removed" } as const;

/**
 * The changes of a patch in the format of `apply_patch`; `undefined` if the text holds none. The patch may be inside a command.
 * Source: Codex 0.142.5, the grammar in its instructions for `apply_patch`.
 */
export function patchChanges(text: string): readonly FileChange[] | undefined {
  const begin = text.indexOf(BEGIN);
  if (begin < 0) return undefined;
  const changes: { path: string; movedTo?: string; what: FileChange["what"]; lines: ChangedLine[] }[] = [];
  for (const line of text.slice(begin + BEGIN.length).split("\n")) {
    const file = FILE.exec(line);
    const last = changes.at(-1);
    if (file !== null) {
      // The expression matches only these three.
      const what = WHAT[file[1] as keyof typeof WHAT];
      changes.push({ path: file[2] ?? "", what, lines: [] });
    } else if (line.startsWith("*** End Patch")) break;
    else if (last !== undefined) {
      const moved = MOVE.exec(line)?.[1];
      if (moved !== undefined) last.movedTo = moved;
      else if (!line.startsWith("*** End of File")) last.lines.push(changedLine(line));
    }
  }
  return changes.length > 0 ? changes : undefined;
}

function changedLine(line: string): ChangedLine {
  if (line.startsWith("@@")) return { sign: "@", text: line.slice(2).trim() };
  const sign = line[0];
  return sign === "+" || sign === "-" ? { sign, text: line.slice(1) } : { sign: " ", text: line.slice(1) };
}

/** Cost of a file's head, in lines. */
const HEAD_LINES = 8;

/** The visible part of some changes. */
interface ShownChanges {
  /** The first changes, with the number of lines that are shown of each. */
  readonly shown: readonly { readonly change: FileChange; readonly lines: number }[];
  /** Hidden lines; a file without lines counts as one. */
  readonly left: number;
}

/**
 * The first changes within a number of lines, in order.
 * @param most lines, with the heads of files among them
 */
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
