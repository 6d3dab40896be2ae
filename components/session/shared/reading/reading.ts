import { structuredPatch } from "diff";
import type { ItemLabel } from "../items/item-label";
import { callArguments, outputHead, textOf } from "../items/preview";
import { type ChangedLine, type FileChange, patchChanges } from "./file-changes";
import { MAX_MARKDOWN_CHARS, MAX_READ_CHARS } from "./limits";
import { type ToolReading, toolCallReading, toolResultReading } from "./tool-readings";

/** Most readable form of a text. */
type Reading =
  | { readonly as: "plain"; readonly text: string }
  | { readonly as: "markdown"; readonly text: string }
  /** Lines of a file, with the number of each line; an empty text for a line without a number. */
  | { readonly as: "code"; readonly text: string; readonly language: string; readonly numbers: readonly string[] }
  | { readonly as: "changes"; readonly changes: readonly FileChange[] }
  | { readonly as: "command"; readonly command: string; readonly folder: string | undefined }
  /** `head` holds facts that a tool writes above its output. */
  | { readonly as: "terminal"; readonly head: string; readonly text: string }
  | { readonly as: "json"; readonly value: object }
  | ToolReading;

type ReadLabel = Pick<ItemLabel, "word"> & Partial<Pick<ItemLabel, "file" | "tool">>;

/**
 * The most readable form of an item, chosen by its text: agents name their tools differently, and new tools appear.
 * @param text all of it; truncated text is not parsed
 * @param label its kind; `file` is the path of the file that it is about
 */
export function readingOf({ word, file, tool }: ReadLabel, text: string): Reading {
  if (text.length > MAX_READ_CHARS) return { as: "plain", text };
  if (word === "call") return callReading(text);
  if (word === "result") return toolResult(tool, text) ?? resultReading(text, file);
  if (word === "failedResult") return resultReading(text, file);
  return text.length > MAX_MARKDOWN_CHARS ? { as: "plain", text } : { as: "markdown", text };
}

function callReading(text: string): Reading {
  const args = callArguments(text);
  if (args === undefined) {
    const changes = patchChanges(text);
    return changes === undefined ? { as: "plain", text } : { as: "changes", changes };
  }
  const command = commandOf(args);
  const patch = command ?? textOf(args, "patchText", "patch", "input");
  const changes = (patch === undefined ? undefined : patchChanges(patch)) ?? editChanges(args);
  if (changes !== undefined) return { as: "changes", changes };
  if (command !== undefined) return { as: "command", command, folder: textOf(args, "workdir", "cwd") };
  return toolCallReading(args) ?? { as: "json", value: args };
}

function toolResult(tool: string | undefined, text: string): Reading | undefined {
  return text.length > MAX_MARKDOWN_CHARS ? undefined : toolResultReading(tool, text);
}

/** The command for a shell. A list is a program with its arguments; a shell's own script comes last. */
function commandOf(args: Readonly<Record<string, unknown>>): string | undefined {
  const command = args.command ?? args.cmd;
  if (typeof command === "string") return command;
  if (!Array.isArray(command) || !command.every((part) => typeof part === "string")) return undefined;
  const isShell = /(?:^|[/\\])(?:ba|z|da)?sh(?:\.exe)?$/.test(command[0] ?? "");
  return isShell ? command.at(-1) : command.join(" ");
}

function resultReading(text: string, file: string | undefined): Reading {
  const start = text.trimStart();
  if (start.startsWith("{") || start.startsWith("[")) {
    const value = jsonOf(start);
    if (value !== undefined) return { as: "json", value };
  }
  const code = file === undefined ? undefined : numberedCode(text);
  if (code !== undefined) return { as: "code", ...code, language: languageOf(file ?? "") };
  const head = outputHead(text);
  return { as: "terminal", head: head.trimEnd(), text: text.slice(head.length) };
}

/** A numbered line, as tools show files. */
const NUMBERED = /^ *(\d{1,9})(?:→|\t|\| ?|: )(.*)$/;

/** The lines of a file and their numbers, if the text begins with numbered lines; lines without a number keep their position. */
function numberedCode(text: string): { readonly text: string; readonly numbers: readonly string[] } | undefined {
  const lines = text.split("\n");
  if (!lines.slice(0, 2).every((line) => NUMBERED.test(line))) return undefined;
  const found = lines.map((line) => NUMBERED.exec(line));
  return {
    text: found.map((match, at) => match?.[2] ?? lines[at] ?? "").join("\n"),
    numbers: found.map((match) => match?.[1] ?? ""),
  };
}

/** The language of a file's code: the file's extension. */
export function languageOf(file: string): string {
  const name = file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1);
  return name.slice(name.lastIndexOf(".") + 1);
}

function jsonOf(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined; // A text that only begins like JSON.
  }
}

/** Names that agents use for the same arguments of editing tools. */
const PATH = ["file_path", "filePath", "path"] as const;
const OLD = ["old_string", "oldString", "oldText", "old_str"] as const;
const NEW = ["new_string", "newString", "newText", "new_str"] as const;
const CONTENT = ["content", "file_text"] as const;

/** Maximum number of differing lines for the shortest difference: the search takes time proportional to its square. */
const MAX_DIFFERENT = 300;
/** Number of context lines around a difference. */
const CONTEXT_LINES = 3;

/** The change made by a call with these arguments, for a tool of any name; `undefined` if it is not an edit. */
function editChanges(args: Readonly<Record<string, unknown>>): readonly FileChange[] | undefined {
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
  // Anything but arrays and null is a record of unknown values.
  const args = edit as Record<string, unknown>;
  const before = textOf(args, ...OLD);
  const after = textOf(args, ...NEW);
  return before === undefined || after === undefined ? undefined : difference(before, after);
}

/** The lines of the shortest difference with some context; all lines of both texts if they have little in common. */
function difference(before: string, after: string): readonly ChangedLine[] {
  const options = { context: CONTEXT_LINES, maxEditLength: MAX_DIFFERENT };
  const patch = structuredPatch("", "", ended(before), ended(after), "", "", options);
  if (patch === undefined) return [...signed("-", before), ...signed("+", after)];
  return patch.hunks.flatMap(({ lines }, hunk) => [
    ...(hunk > 0 ? [{ sign: "@", text: "" } as const] : []),
    ...lines.flatMap(changedLine),
  ]);
}

/** A fragment of a file seldom ends with a line break; a break at the end of only one side is not a difference. */
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

/**
 * The line in which a shell tool states the exit code. Source: results of Claude Code 2.1 (`Exit code 1`), Codex 0.104 to 0.142.5
 * (`Exit code: 0`, `Process exited with code 0`) and pi (`Command exited with code 1`, at the end) as recorded.
 */
const EXIT = /^(?:(?:Error: )?Exit code:? |(?:Process|Command) exited with code )(\d{1,3})\s*$/im;

/** Searched part of a result at each of its ends, in characters. */
const SEARCHED = 400;

/** The exit code that a shell tool's result states; `undefined` without one. */
export function exitCode(result: string): number | undefined {
  const found = EXIT.exec(result.slice(0, SEARCHED)) ?? EXIT.exec(result.slice(-SEARCHED));
  return found === null ? undefined : Number(found[1]);
}
