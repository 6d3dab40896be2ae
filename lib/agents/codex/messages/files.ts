import { isObject, parsedOr } from "@/lib/agents/shared/json";

/** `apply_patch` names each file that it changes on a line of its own. */
const PATCH_FILE = /^\*\*\* (?:Update|Add|Delete) File: (.+)$/gm;
/** A first command that reads one file: `cat`, `head`, `tail`, `nl` or `sed -n`, with options, up to a pipe or the end. */
const READ_COMMAND =
  /^(?:cat|head|tail|nl|sed)\s(?:-[\w-]+\s+(?:\d+\s+)?|'[^']*'\s+|"[^"]*"\s+)*([^\s|;&<>'"$*?]+)\s*(?:$|[|;&])/;
const PATH_KEYS = ["file_path", "path", "dir_path"] as const;
const COMMAND_KEYS = ["cmd", "command"] as const;

/** Files that a call reads or writes, as written in its arguments; the first is the call's file. */
export function filesOfCall(tool: string, args: string): readonly string[] {
  // The arguments of an interrupted call may be incomplete, and then name no file.
  const parsed = args.startsWith("{") ? parsedOr(args) : undefined;
  if (!isObject(parsed)) return patchFiles(args);
  for (const key of PATH_KEYS) {
    const path = parsed[key];
    if (typeof path === "string" && path !== "") return [path];
  }
  if (tool === "apply_patch") {
    return Object.values(parsed).flatMap((value) => (typeof value === "string" ? patchFiles(value) : []));
  }
  return commandFiles(parsed);
}

function commandFiles(args: Readonly<Record<string, unknown>>): readonly string[] {
  const words = COMMAND_KEYS.map((key) => args[key]).find((value) => value !== undefined);
  const command = Array.isArray(words) ? shellScript(words) : words;
  if (typeof command !== "string") return [];
  const patched = patchFiles(command);
  if (patched.length > 0) return patched;
  const read = READ_COMMAND.exec(command.trim())?.[1];
  return read === undefined ? [] : [read];
}

/** For `["bash", "-lc", script]` the script, for any other list its words. */
function shellScript(words: readonly unknown[]): string {
  const texts = words.filter((word) => typeof word === "string");
  return texts.length === 3 && (texts[1] ?? "").startsWith("-") ? (texts[2] ?? "") : texts.join(" ");
}

function patchFiles(text: string): readonly string[] {
  return [...text.matchAll(PATCH_FILE)].flatMap((match) => match[1]?.trim() ?? []);
}
