import type { Chars } from "@/lib/core/base/units";
import { type Content, isObject, jsonOf, partsOf, responseOf } from "./content";

/**
 * Where a history is cut: contents before the point are summarised, the rest stays. The first user content without a tool's
 * response at or behind the fraction of the JSON; where none is, everything if the model spoke last and called nothing, else
 * the last such user content. Throws where the fraction is not between 0 and 1. Source: systems/gemini-cli.md §2,
 * systems/qwen-code.md §3.1.
 */
export function findSplitPoint(contents: readonly Content[], fraction: number): number {
  const cuts = contents.map((content) => ({ canStart: isCutPoint(content), chars: contentChars(content) }));
  return splitPointOf(cuts, fraction, endsWithModel(contents));
}

/** What of a content decides the cut. */
export interface CutContent {
  readonly canStart: boolean;
  readonly chars: Chars;
}

/** The same over sizes: `complete` is whether the last content is the model's and calls nothing. */
export function splitPointOf(contents: readonly CutContent[], fraction: number, complete: boolean): number {
  if (fraction <= 0 || fraction >= 1) throw new Error("Fraction must be between 0 and 1");
  const target = contents.reduce((sum, { chars }) => sum + chars, 0) * fraction;
  let before: Chars = 0;
  let last = 0;
  for (const [index, { canStart, chars }] of contents.entries()) {
    if (canStart) {
      if (before >= target) return index;
      last = index;
    }
    before += chars;
  }
  return complete ? contents.length : last;
}

/** UTF-16 units of the content's JSON: pictures count in full, escapes as they are written. */
export function contentChars(content: Content): Chars {
  return jsonOf(content).length;
}

/** A user content without a tool's response. */
export function isCutPoint(content: Content): boolean {
  return content.role === "user" && !partsOf(content).some((part) => Boolean(responseOf(part)));
}

function endsWithModel(contents: readonly Content[]): boolean {
  const last = contents.at(-1);
  return last?.role === "model" && !partsOf(last).some((part) => isObject(part.functionCall));
}
