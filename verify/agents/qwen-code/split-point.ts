import { type Content, callOf, partsOf, responseOf } from "@/lib/agents/qwen-code/messages/content";
import type { Chars } from "@/lib/core/base/units";

/**
 * Position at which 0.12.0 splits a history: the contents before it are summarised, the rest is kept. It is the first user content without a tool
 * result at or after the given fraction of the JSON. If there is none, everything is summarised if the model spoke last without a call; otherwise
 * it is the last such user content. Throws if the fraction is not between 0 and 1. Source: README.md, "Compaction of 0.12.0".
 */
export function findSplitPoint(contents: readonly Content[], fraction: number): number {
  if (fraction <= 0 || fraction >= 1) throw new Error("Fraction must be between 0 and 1");
  const lengths = contents.map(contentLength);
  const target = lengths.reduce((sum, length) => sum + length, 0) * fraction;
  let before: Chars = 0;
  let last = 0;
  for (const [index, content] of contents.entries()) {
    if (isCutPoint(content)) {
      if (before >= target) return index;
      last = index;
    }
    before += lengths[index] ?? 0;
  }
  const end = contents.at(-1);
  return end?.role === "model" && !isCallContent(end) ? contents.length : last;
}

/** UTF-16 units of the content's JSON: pictures count in full, and escapes as they are written. */
function contentLength(content: Content): Chars {
  return JSON.stringify(content).length;
}

/** True if it is a user content without a tool response. */
function isCutPoint(content: Content): boolean {
  return content.role === "user" && !partsOf(content).some((part) => responseOf(part) !== undefined);
}

/** True if it is a model content that calls a tool. */
export function isCallContent(content: Content | undefined): boolean {
  return content?.role === "model" && partsOf(content).some((part) => callOf(part) !== undefined);
}
