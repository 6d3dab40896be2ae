import type { ItemLabel } from "../item-label";
import { outputHead } from "../preview";
import { callArguments, textOf } from "./call-arguments";
import { editChanges } from "./edits";
import type { FileChange } from "./file-change";
import { patchChanges } from "./patch";

/** How a text is best read. */
export type Reading =
  | { readonly as: "plain"; readonly text: string }
  | { readonly as: "changes"; readonly changes: readonly FileChange[] }
  | { readonly as: "command"; readonly command: string; readonly folder: string | undefined }
  /** `head` are facts that a tool writes above its output. */
  | { readonly as: "terminal"; readonly head: string; readonly text: string }
  | { readonly as: "json"; readonly value: object };

/** The largest text that is taken apart to be read; a larger one is shown as it is written. */
export const MOST_READ_CHARS = 200_000;

/**
 * How an item is read, by what its text is like: agents give tools different names, and new ones come.
 * @param text all of it; what is cut off is not taken apart
 */
export function readingOf(word: ItemLabel["word"], text: string): Reading {
  if (text.length > MOST_READ_CHARS) return { as: "plain", text };
  if (word === "call") return callReading(text);
  if (word === "result" || word === "failedResult") return resultReading(text);
  return { as: "plain", text };
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

function resultReading(text: string): Reading {
  const start = text.trimStart();
  if (start.startsWith("{") || start.startsWith("[")) {
    const value = jsonOf(start);
    if (value !== undefined) return { as: "json", value };
  }
  const head = outputHead(text);
  return { as: "terminal", head: head.trimEnd(), text: text.slice(head.length) };
}

function jsonOf(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined; // a text that only begins like JSON
  }
}
