import { structuredPatch } from "diff";
import { textOf } from "./call-arguments";
import type { ChangedLine, FileChange } from "./file-change";

/** Names that agents give to the same arguments of tools that change files. */
const PATH = ["file_path", "filePath", "path"] as const;
const OLD = ["old_string", "oldString", "oldText", "old_str"] as const;
const NEW = ["new_string", "newString", "newText", "new_str"] as const;
const CONTENT = ["content", "file_text"] as const;

/** How many lines may differ for the shortest difference to be looked for: the search takes time with the square of it. */
const MOST_DIFFERENT = 300;
/** Lines around a difference that are shown as well. */
const CONTEXT_LINES = 3;

/** What a call with these arguments changes; `undefined` where it is no edit. Tools are known by their arguments, whatever they are called. */
export function editChanges(args: Readonly<Record<string, unknown>>): readonly FileChange[] | undefined {
  const path = textOf(args, ...PATH);
  const edits = Array.isArray(args.edits) ? args.edits.map(lineChanges) : [lineChanges(args)];
  const lines = edits.filter((edit) => edit !== undefined);
  if (lines.length > 0 && lines.length === edits.length) {
    return [{ path: path ?? "", what: "changed", lines: lines.flat() }];
  }
  const content = textOf(args, ...CONTENT);
  if (path === undefined || content === undefined) return undefined;
  return [{ path, what: "added", lines: signed("+", content) }];
}

function lineChanges(edit: unknown): readonly ChangedLine[] | undefined {
  if (typeof edit !== "object" || edit === null) return undefined;
  // What is no array and not null is a record of unknown values.
  const args = edit as Record<string, unknown>;
  const before = textOf(args, ...OLD);
  const after = textOf(args, ...NEW);
  return before === undefined || after === undefined ? undefined : difference(before, after);
}

/** The lines of the shortest difference with a few around each; all lines of both where they have little in common. */
function difference(before: string, after: string): readonly ChangedLine[] {
  const options = { context: CONTEXT_LINES, maxEditLength: MOST_DIFFERENT };
  const patch = structuredPatch("", "", ended(before), ended(after), "", "", options);
  if (patch === undefined) return [...signed("-", before), ...signed("+", after)];
  return patch.hunks.flatMap(({ lines }, hunk) => [
    ...(hunk > 0 ? [{ sign: "@", text: "" } as const] : []),
    ...lines.flatMap(changedLine),
  ]);
}

/** Parts of files seldom end with a line break, and where only one of them does, no line is another for that. */
function ended(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

function changedLine(line: string): readonly ChangedLine[] {
  const sign = line[0];
  return sign === "+" || sign === "-" || sign === " " ? [{ sign, text: line.slice(1) }] : [];
}

function signed(sign: "+" | "-", text: string): ChangedLine[] {
  const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  return lines.map((line) => ({ sign, text: line }));
}
