import type { Chars, ItemIndex, Tokens } from "@/lib/core/base/units";
import { KINDS } from "@/lib/core/columns/columns";
import type { ContextView } from "@/lib/core/compaction/policy";
import { resizedTokens } from "./column-sizes";
import { aggregateResultChars } from "./constants";

/**
 * What release 2026.9.6 takes out of tool results where a prompt does not fit, over numbers; the same rules as
 * `result-budget.ts`, to within the markers. Source: systems/openclaw.md §6.
 */
const RESULT = KINDS.indexOf("tool_result");
const CHARS_PER_TOKEN = 4;
/** Chars of the marker that stands for what is left out, with a number of five digits. */
const MARKER_CHARS: Chars = 82;

/** Results that become smaller, and by how many chars in all. */
export interface ReducedResults {
  readonly chars: Chars;
  readonly truncated: readonly (readonly [ItemIndex, Tokens])[];
}

/** Every result within its limit, then the oldest shortened until all fit theirs. */
export function reducedResults(view: ContextView, maxChars: Chars): ReducedResults {
  const results = resultsOf(view);
  const budget = Math.max(1, aggregateResultChars(view.window, Math.max(1, maxChars)));
  const left = results.map(({ chars }) => Math.min(chars, Math.max(1, maxChars)));
  let excess = left.reduce((sum, chars) => sum + chars, 0) - budget;
  for (const least of results.length > 1 ? [MARKER_CHARS, 0] : []) {
    for (const [at, chars] of left.entries()) {
      if (excess <= 0 || chars <= least) continue;
      const after = Math.max(least, chars - excess);
      left[at] = after;
      excess -= chars - after;
    }
  }
  const changed = results.flatMap(({ item, chars }, at) => {
    const after = left[at] ?? chars;
    return after < chars ? [[item, resizedTokens(view.tokensOf(item), chars, after)] as const] : [];
  });
  return {
    chars: results.reduce((sum, { chars }, at) => sum + chars - (left[at] ?? chars), 0),
    truncated: changed.filter(([item, tokens]) => tokens < view.tokensOf(item)),
  };
}

/** Results of the context, oldest first, with their weighted chars as they stand now. */
function resultsOf(view: ContextView): readonly { readonly item: ItemIndex; readonly chars: Chars }[] {
  const { columns, items } = view;
  const weighted = columns.measures["openclaw.weightedChars"];
  const found: { item: ItemIndex; chars: Chars }[] = [];
  for (let position = 0; position < items.length; position++) {
    const item = items.at(position);
    if (columns.kind[item] !== RESULT) continue;
    const whole = weighted?.[item] ?? columns.chars[item] ?? 0;
    const chars = Math.min(whole, view.tokensOf(item) * CHARS_PER_TOKEN);
    if (chars > 0) found.push({ item, chars });
  }
  return found;
}
