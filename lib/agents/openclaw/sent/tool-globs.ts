import { writtenAs } from "@/lib/core/records/fields";
import { listOf } from "../messages/value";

/**
 * Which tools' results may be pruned. Source: README.md, "Pruning"; openclaw@2026.2.1, context-pruning/tools. Patterns are matched without
 * regular expressions, since a pattern with many stars would take one of those very long.
 */
interface ToolGlobs {
  readonly allow?: unknown;
  readonly deny?: unknown;
}

/** Makes a test for tool names. Denied tools are not prunable; where no tool is allowed by name, all others are. */
export function prunableTools(globs: ToolGlobs): (tool: string) => boolean {
  const deny = patternsOf(globs.deny);
  const allow = patternsOf(globs.allow);
  return (tool) => {
    const name = tool.trim().toLowerCase();
    if (deny.some((pattern) => matches(pattern, name))) return false;
    return allow.length === 0 || allow.some((pattern) => matches(pattern, name));
  };
}

function patternsOf(value: unknown): readonly string[] {
  return listOf(value)
    .map((pattern) =>
      writtenAs(pattern ?? "")
        .trim()
        .toLowerCase(),
    )
    .filter((pattern) => pattern !== "");
}

const LINE_END = /[\n\r\u2028\u2029]/;

/** `*` matches any text within a line; a pattern of `*` alone matches any text at all. */
function matches(pattern: string, name: string): boolean {
  if (pattern === "*") return true;
  const pieces = pattern.split("*");
  const [first = "", ...rest] = pieces;
  if (rest.length === 0) return name === pattern;
  const last = rest.pop() ?? "";
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false;
  const end = name.length - last.length;
  // The leftmost place of every piece leaves the most room for the next; gaps never hold a line end.
  let at = first.length;
  for (const piece of rest) {
    const found = name.indexOf(piece, at);
    if (found < 0 || found + piece.length > end || LINE_END.test(name.slice(at, found))) return false;
    at = found + piece.length;
  }
  return !LINE_END.test(name.slice(at, end));
}
