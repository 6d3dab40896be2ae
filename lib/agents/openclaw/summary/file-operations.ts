import type { OpenClawPreset } from "../base/presets";
import { type AgentMessage, blocksOf } from "../messages/message";
import { type JsonObject, listOf, objectOf, textOf } from "../messages/value";

/** Files that calls read, wrote and edited. A compaction can pass the lists on to the next one. */
export interface FileOperations {
  readonly read: Set<string>;
  readonly written: Set<string>;
  readonly edited: Set<string>;
}

export interface FileLists {
  readonly readFiles: readonly string[];
  readonly modifiedFiles: readonly string[];
}

export function noFileOperations(): FileOperations {
  return { read: new Set(), written: new Set(), edited: new Set() };
}

/** Adds the files of a message's calls. 2026.9.6 also knows tools of servers, other names for the path, and patches. */
export function addFileOperations(to: FileOperations, message: AgentMessage, preset: OpenClawPreset): void {
  const current = preset === "current";
  if (current && message.role === "toolResult") addPatchedFiles(to, message);
  if (message.role !== "assistant") return;
  for (const block of blocksOf(message)) {
    if (block.type !== "toolCall") continue;
    const file = pathOfCall(objectOf(block.arguments), current);
    const tool = current ? bareToolName(block.name) : block.name;
    if (file === undefined) continue;
    if (tool === "read") to.read.add(file);
    if (tool === "write") to.written.add(file);
    if (tool === "edit") to.edited.add(file);
  }
}

/** The path that a call names; both releases drop an empty one. */
function pathOfCall(args: JsonObject, current: boolean): string | undefined {
  const values = current ? [args.path, args.file_path, args.filePath] : [args.path];
  const path = values.find((value) => typeof value === "string");
  return textOf(path) || undefined;
}

/** A tool's name without the server that offers it: `mcp__files__read` becomes `read`. */
function bareToolName(value: unknown): string {
  const name = (textOf(value) ?? "").toLowerCase();
  const separator = name.indexOf("__", name.startsWith("mcp__") ? "mcp__".length : 0);
  return separator < 0 ? name : name.slice(separator + 2);
}

function addPatchedFiles(to: FileOperations, message: AgentMessage): void {
  if (bareToolName(message.toolName) !== "apply_patch") return;
  for (const result of [message, ...blocksOf(message)]) {
    const summary = objectOf(objectOf(result.details).summary);
    addPaths(to.written, summary.added);
    addPaths(to.edited, summary.modified);
  }
}

export function addPaths(to: Set<string>, paths: unknown): void {
  for (const path of listOf(paths)) if (typeof path === "string") to.add(path);
}

/** Files that were only read, and files that were changed, in the order of their UTF-16 units. */
export function fileLists(operations: FileOperations): FileLists {
  const modified = new Set([...operations.edited, ...operations.written]);
  return {
    readFiles: [...operations.read].filter((file) => !modified.has(file)).sort(byUnits),
    modifiedFiles: [...modified].sort(byUnits),
  };
}

function byUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The lists at the end of a summary. */
export function fileSections({ readFiles, modifiedFiles }: FileLists): string {
  const section = (tag: string, files: readonly string[]) =>
    files.length > 0 ? `\n\n<${tag}>\n${files.join("\n")}\n</${tag}>` : "";
  return section("read-files", readFiles) + section("modified-files", modifiedFiles);
}
