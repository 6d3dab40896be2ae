import type { Tokens } from "@/lib/core/base/units";

/* Recognises cut or masked results by their size: a recording has such results too, and entry rules make others smaller. */

/** Sizes of a result by Gemini CLI's own rule: whole, masked, cut, and first cut and then masked. */
interface MaskSizes {
  readonly whole: Tokens;
  readonly after: Tokens;
  readonly cut: Tokens;
  readonly cutMasked: Tokens;
}

/** True if a result that can be masked has the size of a masked one. */
export function isMasked(tokens: Tokens, sizes: MaskSizes): boolean {
  const { whole, after, cut, cutMasked } = sizes;
  if (!growsWhenCut(sizes)) return isReduced(tokens, whole, after) && !isExactlyCut(tokens, cut, after);
  if (cutMasked >= whole) return isReduced(tokens, whole, after) || Math.abs(tokens - cutMasked) <= 1;
  return isReduced(tokens, whole, Math.max(after, cutMasked));
}

/** True if a result is larger after it was saved to a file: one that reports an error is a text from then on. */
export function growsWhenCut({ whole, cut }: Pick<MaskSizes, "whole" | "cut">): boolean {
  return cut > whole + 2;
}

/** True if an item has exactly the size of a cut result, which under another token rule may be as small as a masked one. */
function isExactlyCut(tokens: Tokens, cut: Tokens, masked: Tokens): boolean {
  return Math.abs(tokens - cut) <= 1 && tokens > masked + 1;
}

/** Maximum share at which a smaller count cannot come from another token rule. */
const SMALL_SHARE = 0.15;
const RULE_SHARE = 0.4;

/**
 * True if an item has already been made smaller. Gemini CLI's own rule compares its size with the reduced one; another rule, where sizes are in
 * proportion, looks for a count too small for the whole.
 */
export function isReduced(tokens: Tokens, whole: Tokens, after: Tokens): boolean {
  if (after >= whole) return false;
  // Allows one token above the reduced size unless that is nearly the whole, since a share of a content is rounded up or down.
  return (
    tokens <= Math.min(after + 1, whole - 2) ||
    tokens <= after ||
    (after < SMALL_SHARE * whole && tokens < RULE_SHARE * whole)
  );
}
