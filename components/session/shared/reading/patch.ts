import type { ChangedLine, FileChange } from "./file-change";

const BEGIN = "*** Begin Patch";
const FILE = /^\*\*\* (Add|Update|Delete) File: (.*)$/;
const MOVE = /^\*\*\* Move to: (.*)$/;
const WHAT = { Add: "added", Update: "changed", Delete: "removed" } as const;

/**
 * The changes of a patch in the format of `apply_patch`; `undefined` where the text holds none. The patch may stand inside a command.
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
      // The expression names nothing but the three.
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
