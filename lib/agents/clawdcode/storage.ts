import { isObject, type JsonObject } from "@/lib/agents/shared/json";
import { textField } from "@/lib/core/records/fields";
import type { ClawdcodePreset } from "./base/presets";

/**
 * Name of the folder below `~/.clawdcode/projects` that holds a project's sessions. The document keeps the leading dash, the program strips it.
 * It cannot be reversed, since a dash may have been a dash before. Source: README.md, "Where sessions lie".
 */
export function projectFolder(path: string, preset: ClawdcodePreset): string {
  const resolved = resolvedPath(path);
  return preset === "current" ? resolved.replace(/[/\\]/g, "-").replace(/^-/, "") : resolved.replaceAll("/", "-");
}

/** An absolute path without `.`, `..`, doubled and trailing slashes. */
function resolvedPath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

/** The entries of a session file as the program reads them: a line is one entry, or is skipped. */
export function sessionEntries(text: string): readonly JsonObject[] {
  return text.split("\n").flatMap((line) => {
    try {
      const value: unknown = line.trim() === "" ? undefined : JSON.parse(line);
      return isObject(value) ? [value] : [];
    } catch {
      return [];
    }
  });
}

/** The entries from the last compaction on, including its boundary; all of them where there is none. */
export function afterCompaction(entries: readonly JsonObject[]): readonly JsonObject[] {
  return entries.slice(Math.max(0, entries.findLastIndex(isBoundary)));
}

/**
 * What the program loads when this session is continued: user, assistant and system rows after the last boundary. The messages that the
 * compaction kept come before it, so they are gone.
 */
export function resumedEntries(entries: readonly JsonObject[]): readonly JsonObject[] {
  return afterCompaction(entries).filter(
    (entry) => !isBoundary(entry) && ["user", "assistant", "system"].includes(textField(entry.type) ?? ""),
  );
}

function isBoundary(entry: JsonObject): boolean {
  return entry.subtype === "compact_boundary";
}
