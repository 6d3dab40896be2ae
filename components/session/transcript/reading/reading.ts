import type { ItemLabel } from "../item-label";
import { outputHead } from "../preview";
import { callArguments, textOf } from "./call-arguments";
import { editChanges } from "./edits";
import type { FileChange } from "./file-change";
import { MOST_MARKDOWN_CHARS, MOST_READ_CHARS } from "./limits";
import { patchChanges } from "./patch";

/** How a text is best read. */
export type Reading =
  | { readonly as: "plain"; readonly text: string }
  | { readonly as: "markdown"; readonly text: string }
  /** Of a file; `numbers` are those of its lines; empty where a line has none. */
  | { readonly as: "code"; readonly text: string; readonly language: string; readonly numbers: readonly string[] }
  | { readonly as: "changes"; readonly changes: readonly FileChange[] }
  | { readonly as: "command"; readonly command: string; readonly folder: string | undefined }
  /** `head` are facts that a tool writes above its output. */
  | { readonly as: "terminal"; readonly head: string; readonly text: string }
  | { readonly as: "json"; readonly value: object };

/**
 * How an item is read, by what its text is like: agents give tools different names, and new ones come.
 * @param text all of it; what is cut off is not taken apart
 * @param file path of the file that it is about
 */
export function readingOf(word: ItemLabel["word"], text: string, file?: string): Reading {
  if (text.length > MOST_READ_CHARS) return { as: "plain", text };
  if (word === "call") return callReading(text);
  if (word === "result" || word === "failedResult") return resultReading(text, file);
  return text.length > MOST_MARKDOWN_CHARS ? { as: "plain", text } : { as: "markdown", text };
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
  return { as: "json", value: args };
}

/** What a shell is asked to do. A list is a program with its arguments; a shell's own comes last. */
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

/** A line with its number, as tools show files. */
const NUMBERED = /^ *(\d{1,9})(?:→|\t|\| ?|: )(.*)$/;

/** The lines of a file and their numbers, where the text begins with numbered lines; lines without a number stay in their places. */
function numberedCode(text: string): { readonly text: string; readonly numbers: readonly string[] } | undefined {
  const lines = text.split("\n");
  if (!lines.slice(0, 2).every((line) => NUMBERED.test(line))) return undefined;
  const found = lines.map((line) => NUMBERED.exec(line));
  return {
    text: found.map((match, at) => match?.[2] ?? lines[at] ?? "").join("\n"),
    numbers: found.map((match) => match?.[1] ?? ""),
  };
}

/** The name that code of a file goes by: the ending of the file's name. */
function languageOf(file: string): string {
  const name = file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1);
  return name.slice(name.lastIndexOf(".") + 1);
}

function jsonOf(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined; // a text that only begins like JSON
  }
}
