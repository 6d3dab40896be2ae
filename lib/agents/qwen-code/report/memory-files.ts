import type { Tokens } from "@/lib/core/base/units";
import { contextTextTokens } from "../messages/estimates";

/** A file of the memory text. Source: README.md, "Context report, as documented". */

export interface MemoryFile {
  readonly path: string;
  readonly tokens: Tokens;
}

const OPEN = "--- Context from: ";
const CLOSE_OF_LINE = " ---\n";

/**
 * Every section between a marker and the end marker of the same path, without the markers themselves; the content keeps its final newline. A text
 * without any such section is one item named `memory`.
 */
export function memoryFiles(memory: string): readonly MemoryFile[] {
  if (memory.trim() === "") return [];
  const files = memorySections(memory).map(({ path, content }) => ({ path, tokens: contextTextTokens(content) }));
  return files.length > 0 ? files : [{ path: "memory", tokens: contextTextTokens(memory) }];
}

/**
 * Matches of `/--- Context from: (.+?) ---
 * ([\s\S]*?)--- End of Context from: \1 ---/g`, but without its backtracking: a path ends at the first ` ---` before a line end whose end marker
 * follows later.
 */
export function memorySections(memory: string): readonly { readonly path: string; readonly content: string }[] {
  return [...sections(memory)];
}

function* sections(memory: string): Generator<{ readonly path: string; readonly content: string }> {
  let from = 0;
  for (;;) {
    const start = memory.indexOf(OPEN, from);
    if (start < 0) return;
    const found = sectionAt(memory, start + OPEN.length);
    if (found === undefined) from = start + 1;
    else {
      yield found;
      from = found.end;
    }
  }
}

function sectionAt(memory: string, pathStart: number) {
  const lineEnd = memory.indexOf("\n", pathStart);
  const marker = lineEnd < 0 ? -1 : lineEnd + 1 - CLOSE_OF_LINE.length;
  if (marker <= pathStart || !memory.startsWith(CLOSE_OF_LINE, marker)) return undefined;
  const path = memory.slice(pathStart, marker);
  if (/[\r\u2028\u2029]/.test(path)) return undefined;
  const endMark = `--- End of Context from: ${path} ---`;
  const close = memory.indexOf(endMark, lineEnd + 1);
  if (close < 0) return undefined;
  return { path, content: memory.slice(lineEnd + 1, close), end: close + endMark.length };
}
