import type { ClawdcodePreset } from "@/lib/agents/clawdcode/base/presets";
import { isSourceFile } from "@/lib/agents/clawdcode/base/source-file";
import type { ClawdMessage } from "@/lib/agents/clawdcode/messages/message";
import { type FileContent, pathsInArguments, pathsInText } from "@/lib/agents/clawdcode/summary/file-analyzer";
import { isObject, textOrAnyJson } from "@/lib/agents/shared/json";
import { textField } from "@/lib/core/records/fields";

/** Maximum number of files that a compaction reads. Source: README.md, "Files". */
const MAX_FILES = 5;

const MAX_LINES_PER_FILE = 1000;

/** Limit in UTF-16 units. The document prints no such limit, but the program that it describes has it. */
const MAX_CHARS_PER_FILE = 50_000;

/** A file that the conversation mentions. */
interface FileReference {
  readonly path: string;
  readonly mentions: number;
  /** Index of the last message that mentions it. */
  readonly lastMentioned: number;
  readonly wasModified: boolean;
}

const FILE_TOOLS = new Set(["Read", "Write", "Edit", "Glob", "Grep", "NotebookEdit"]);

const MODIFYING_TOOLS = new Set(["Write", "Edit"]);

/** The paths in a call's arguments; none if the call is to another tool, or the arguments are not JSON. */
export function pathsInCall(call: unknown): readonly string[] {
  const called = isObject(call) && isObject(call.function) ? call.function : {};
  if (typeof called.name !== "string" || !FILE_TOOLS.has(called.name)) return [];
  return pathsInArguments(called.arguments);
}

function isModifying(call: unknown): boolean {
  return isObject(call) && isObject(call.function) && MODIFYING_TOOLS.has(textField(call.function.name) ?? "");
}

/**
 * The most important files: changed ones first, then by mentions, then by the last mention; at most five.
 * @param exists returns true if a path exists; a replay does not know the file system, so every path counts as existing
 */
export function analyzeFiles(
  messages: readonly ClawdMessage[],
  preset: ClawdcodePreset,
  exists: (path: string) => boolean = () => true,
): readonly FileReference[] {
  const files = new Map<string, FileReference>();
  messages.forEach((message, index) => {
    for (const path of pathsInText(searchedText(message, preset)).keys()) mention(files, path, index, false);
    for (const call of Array.isArray(message.tool_calls) ? message.tool_calls : []) {
      for (const path of pathsInCall(call)) mention(files, path, index, isModifying(call));
    }
  });
  const known = [...files.values()];
  return rankedFiles(preset === "current" ? known.filter(({ path }) => isSourceFile(path) && exists(path)) : known);
}

/** Content other than text: the documented code searches its string conversion, the program its JSON. */
function searchedText({ content }: ClawdMessage, preset: ClawdcodePreset): string {
  if (!content) return "";
  return preset === "current" ? textOrAnyJson(content) : typeof content === "string" ? content : `${content}`;
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

/** The files by importance, cut to the maximum number. */
function rankedFiles(files: readonly FileReference[], most: number = MAX_FILES): readonly FileReference[] {
  const byWeight = (a: FileReference, b: FileReference) =>
    Number(b.wasModified) - Number(a.wasModified) || b.mentions - a.mentions || b.lastMentioned - a.lastMentioned;
  return files.toSorted(byWeight).slice(0, most);
}

const CUT_MARKER = "\n\n[... 内容已截断 ...]";

/** A file's content, first cut to the limit of lines and then to the limit of UTF-16 units. */
function shownFile(path: string, content: string): FileContent {
  const lines = content.split("\n");
  const byLines = lines.length > MAX_LINES_PER_FILE ? lines.slice(0, MAX_LINES_PER_FILE).join("\n") : content;
  const shown = byLines.slice(0, MAX_CHARS_PER_FILE);
  const truncated = shown.length < content.length;
  return { path, content: truncated ? `${shown}${CUT_MARKER}` : shown, lines: lines.length, truncated };
}

/** The contents of the files that can be read. */
export function shownFiles(paths: readonly string[], read: (path: string) => string | undefined): FileContent[] {
  return paths.flatMap((path) => {
    const content = read(path);
    return content === undefined ? [] : [shownFile(path, content)];
  });
}
