import type { Tokens } from "@/lib/core/base/units";

/*
 * A result that was cut or masked is told by its size: a recording has such results too, and the rules on inputs make others smaller.
 */

/** Sizes of a result by Gemini CLI's own rule: whole and masked, cut, and cut and then masked. */
export interface MaskSizes {
  readonly whole: Tokens;
  readonly after: Tokens;
  readonly cut: Tokens;
  readonly cutMasked: Tokens;
}

/** Whether a result that can be masked has the size of a masked one. */
export function isMasked(tokens: Tokens, sizes: MaskSizes): boolean {
  const { whole, after, cut, cutMasked } = sizes;
  if (!growsWhenCut(sizes)) return isReduced(tokens, whole, after) && !isExactlyCut(tokens, cut, after);
  if (cutMasked >= whole) return isReduced(tokens, whole, after) || Math.abs(tokens - cutMasked) <= 1;
  return isReduced(tokens, whole, Math.max(after, cutMasked));
}

/** Whether a result is larger once it is put aside: one that reports an error is a text from then on. */
export function growsWhenCut({ whole, cut }: Pick<MaskSizes, "whole" | "cut">): boolean {
  return cut > whole + 2;
}

/** Whether an item has the size of a cut, which may be small enough for a masked one under another token rule. */
function isExactlyCut(tokens: Tokens, cut: Tokens, masked: Tokens): boolean {
  return Math.abs(tokens - cut) <= 1 && tokens > masked + 1;
}

/** Below these shares a smaller count cannot come from another token rule. */
const SMALL_SHARE = 0.15;
const RULE_SHARE = 0.4;

/**
 * Whether an item has been made smaller already. Under Gemini CLI's own rule its size says so; under another rule, where
 * sizes are in proportion, it is told by a count that is too small for the whole.
 */
export function isReduced(tokens: Tokens, whole: Tokens, after: Tokens): boolean {
  if (after >= whole) return false;
  // One more than measured, where that tells the two apart: a share of a content is rounded up or down.
  return (
    tokens <= Math.min(after + 1, whole - 2) ||
    tokens <= after ||
    (after < SMALL_SHARE * whole && tokens < RULE_SHARE * whole)
  );
}
