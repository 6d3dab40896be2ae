import { isObject, jsonOf } from "@/lib/agents/shared/json";
import type { Chars } from "@/lib/core/base/units";
import { type Content, partsOf, responseOf } from "../messages/content";

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

/** A possible split point of a history, and the length of the JSON before it. */
export interface Cut {
  readonly at: number;
  readonly before: Chars;
}

/**
 * The split point over sizes. Takes the history's end, the length of its JSON, and a flag for a last content that is the model's and calls nothing.
 */
export function splitPointOf(
  cuts: readonly Cut[],
  history: { readonly end: number; readonly chars: Chars; readonly complete: boolean },
  fraction: number,
): number {
  if (fraction <= 0 || fraction >= 1) throw new Error("Fraction must be between 0 and 1");
  const target = history.chars * fraction;
  const reached = cuts.find(({ before }) => before >= target)?.at;
  return reached ?? (history.complete ? history.end : (cuts.at(-1)?.at ?? 0));
}

/** UTF-16 units of the content's JSON: images count in full, and escapes as they are written. */
export function contentChars(content: Content): Chars {
  return jsonOf(content).length;
}

/** True for a user content without a tool's response. */
function isCutPoint(content: Content): boolean {
  return content.role === "user" && !partsOf(content).some((part) => Boolean(responseOf(part)));
}

function endsWithModel(contents: readonly Content[]): boolean {
  const last = contents.at(-1);
  return last?.role === "model" && !partsOf(last).some((part) => isObject(part.functionCall));
}
