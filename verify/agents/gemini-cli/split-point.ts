import { type Content, partsOf, responseOf } from "@/lib/agents/gemini-cli/messages/content";
import { type Cut, contentChars, splitPointOf } from "@/lib/agents/gemini-cli/policy/split-point";
import { isObject } from "@/lib/agents/shared/json";
import type { Chars } from "@/lib/core/base/units";

/**
 * Split point of a history: the contents before it are summarised, the rest is kept. The point is the first user content without a tool's response at
 * or after the given fraction of the JSON. If there is none, everything is summarised if the model spoke last without a call; otherwise the point is
 * the last such user content. Throws if the fraction is not between 0 and 1. Source: README.md, "Split point".
 */
export function findSplitPoint(contents: readonly Content[], fraction: number): number {
  const cuts: Cut[] = [];
  let chars: Chars = 0;
  for (const [index, content] of contents.entries()) {
    if (isCutPoint(content)) cuts.push({ at: index, before: chars });
    chars += contentChars(content);
  }
  return splitPointOf(cuts, { end: contents.length, chars, complete: endsWithModel(contents) }, fraction);
}

/** True for a user content without a tool's response. */
function isCutPoint(content: Content): boolean {
  return content.role === "user" && !partsOf(content).some((part) => Boolean(responseOf(part)));
}

function endsWithModel(contents: readonly Content[]): boolean {
  const last = contents.at(-1);
  return last?.role === "model" && !partsOf(last).some((part) => isObject(part.functionCall));
}
