import { parseJson } from "@/lib/core/transcript/nesting";
import { isObject } from "../json";
import { textOrJson } from "./json";
import type { ClawdMessage } from "./message";
import type { ClawdcodePreset } from "./presets";
import { isSourceFile } from "./source-file";

/** Files that a compaction looks at. Source: README.md, "Files". */
const MAX_FILES = 5;
const MAX_LINES_PER_FILE = 1000;
/** UTF-16 units; the document prints no such limit, the program it describes has it. */
const MAX_CHARS_PER_FILE = 50_000;

/** A file that the conversation mentions. */
export interface FileReference {
  readonly path: string;
  readonly mentions: number;
  /** Index of the last message that mentions it. */
  readonly lastMentioned: number;
  readonly wasModified: boolean;
}

/** What stands before a path and behind it is taken with it, so of two paths one blank apart the second is missed. */
const BEFORE = "(?:^|\\s|[\"'`])";
const BEHIND = "(?:\\s|$|[\"'`]|:)";
const FILE_NAME = "[\\w.-]+\\.[a-zA-Z]{1,10}";
const PATTERNS = [
  new RegExp(`${BEFORE}(\\/?(?:[\\w.-]+\\/)+${FILE_NAME})${BEHIND}`, "gm"),
  new RegExp(`${BEFORE}(\\.\\/(?:[\\w.-]+\\/)*${FILE_NAME})${BEHIND}`, "gm"),
  /```\d+:\d+:([\w./-]+)/gm,
];

/** Paths in a text, each once: pattern after pattern, by position within each. */
export function pathsInText(text: string): readonly string[] {
  const paths = new Set<string>();
  for (const pattern of PATTERNS) {
    for (const match of text.matchAll(pattern)) paths.add(match[1] ?? "");
  }
  return [...paths];
}

const FILE_TOOLS = new Set(["Read", "Write", "Edit", "Glob", "Grep", "NotebookEdit"]);
const MODIFYING_TOOLS = new Set(["Write", "Edit"]);
const PATH_KEYS = ["file_path", "path", "notebook_path", "filePath"];

/** Paths in a call's arguments; none where the tool is another, or the arguments are not JSON. */
export function pathsInCall(call: unknown): readonly string[] {
  const called = isObject(call) && isObject(call.function) ? call.function : {};
  if (!FILE_TOOLS.has(String(called.name))) return [];
  const given = parsedArguments(called.arguments);
  return PATH_KEYS.flatMap((key) => {
    const path = given[key];
    return typeof path === "string" && path !== "" ? [path] : [];
  });
}

function parsedArguments(given: unknown): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = typeof given === "string" ? parseJson(given) : given;
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function isModifying(call: unknown): boolean {
  return isObject(call) && isObject(call.function) && MODIFYING_TOOLS.has(String(call.function.name));
}

/**
 * The files that matter most: changed ones first, then by mentions, then by the last mention, at most five.
 * @param exists whether a path is there; in a replay the file system is not known, and every path is taken to be
 */
export function analyzeFiles(
  messages: readonly ClawdMessage[],
  preset: ClawdcodePreset,
  exists: (path: string) => boolean = () => true,
): readonly FileReference[] {
  const files = new Map<string, FileReference>();
  messages.forEach((message, index) => {
    for (const path of pathsInText(searchedText(message, preset))) mention(files, path, index, false);
    for (const call of Array.isArray(message.tool_calls) ? message.tool_calls : []) {
      for (const path of pathsInCall(call)) mention(files, path, index, isModifying(call));
    }
  });
  const known = [...files.values()];
  return rankedFiles(preset === "current" ? known.filter(({ path }) => isSourceFile(path) && exists(path)) : known);
}

/** The document searches content that is not a text as whatever its string is, the program as JSON. */
function searchedText({ content }: ClawdMessage, preset: ClawdcodePreset): string {
  if (!content) return "";
  return preset === "current" ? textOrJson(content) : typeof content === "string" ? content : `${content}`;
}

function mention(files: Map<string, FileReference>, path: string, index: number, modified: boolean): void {
  const known = files.get(path);
  files.set(path, {
    path,
    mentions: (known?.mentions ?? 0) + 1,
    lastMentioned: Math.max(known?.lastMentioned ?? 0, index),
    wasModified: modified || known?.wasModified === true,
  });
}

/** Files in the order in which they matter, cut to the most that are looked at. */
function rankedFiles(files: readonly FileReference[], most: number = MAX_FILES): readonly FileReference[] {
  const byWeight = (a: FileReference, b: FileReference) =>
    Number(b.wasModified) - Number(a.wasModified) || b.mentions - a.mentions || b.lastMentioned - a.lastMentioned;
  return files.toSorted(byWeight).slice(0, most);
}

/** What the summarising model is shown of a file. */
export interface FileContent {
  readonly path: string;
  readonly content: string;
  /** Lines before it was cut. */
  readonly lines: number;
  readonly truncated: boolean;
}

const CUT_MARKER = "\n\n[... 内容已截断 ...]";

/** A file's content within the limits of lines and of UTF-16 units, in this order. */
function shownFile(path: string, content: string): FileContent {
  const lines = content.split("\n");
  const byLines = lines.length > MAX_LINES_PER_FILE ? lines.slice(0, MAX_LINES_PER_FILE).join("\n") : content;
  const shown = byLines.slice(0, MAX_CHARS_PER_FILE);
  const truncated = shown.length < content.length;
  return { path, content: truncated ? `${shown}${CUT_MARKER}` : shown, lines: lines.length, truncated };
}

/** The contents of those files that can be read. */
export function shownFiles(paths: readonly string[], read: (path: string) => string | undefined): FileContent[] {
  return paths.flatMap((path) => {
    const content = read(path);
    return content === undefined ? [] : [shownFile(path, content)];
  });
}
