import { jsonOf } from "@/lib/agents/shared/json";
import type { Chars } from "@/lib/core/base/units";
import type { Content } from "../messages/content";

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
