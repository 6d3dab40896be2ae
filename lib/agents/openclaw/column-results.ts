import type { Chars, ItemIndex, Tokens } from "@/lib/core/base/units";
import { KINDS } from "@/lib/core/columns/columns";
import type { ContextView } from "@/lib/core/compaction/policy";
import { numberSetting, type Settings } from "@/lib/core/compaction/settings";
import { resultChars } from "./column-entry";
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

/**
 * Every result within its limit, then the oldest shortened until all fit theirs.
 * @param among items of the context, in its order
 */
export function reducedResults(view: ContextView, settings: Settings, among: ArrayLike<ItemIndex>): ReducedResults {
  const maxChars = numberSetting(settings, "toolResultChars");
  const { items, chars } = resultsOf(view, settings, among);
  const budget = Math.max(1, aggregateResultChars(view.window, Math.max(1, maxChars)));
  const left = chars.map((size) => Math.min(size, Math.max(1, maxChars)));
  let excess = sum(left) - budget;
  for (const least of items.length > 1 ? [MARKER_CHARS, 0] : []) {
    for (let at = 0; at < left.length && excess > 0; at++) {
      const before = left[at] ?? 0;
      if (before <= least) continue;
      const after = Math.max(least, before - excess);
      left[at] = after;
      excess -= before - after;
    }
  }
  const truncated: (readonly [ItemIndex, Tokens])[] = [];
  for (const [at, item] of items.entries()) {
    const [before, after] = [chars[at] ?? 0, left[at] ?? 0];
    if (after >= before) continue;
    const tokens = resizedTokens(view.tokensOf(item), before, after);
    if (tokens < view.tokensOf(item)) truncated.push([item, tokens]);
  }
  return { chars: sum(chars) - sum(left), truncated };
}

/** The results among some items, oldest first, and their weighted chars as they stand now. */
function resultsOf(view: ContextView, settings: Settings, among: ArrayLike<ItemIndex>) {
  const { columns } = view;
  const [items, chars]: [ItemIndex[], Chars[]] = [[], []];
  for (let at = 0; at < among.length; at++) {
    const item = among[at] ?? -1;
    if (columns.kind[item] !== RESULT) continue;
    const size = Math.min(resultChars(columns, item, settings), view.tokensOf(item) * CHARS_PER_TOKEN);
    if (size <= 0) continue;
    items.push(item);
    chars.push(size);
  }
  return { items, chars };
}

function sum(sizes: readonly Chars[]): Chars {
  return sizes.reduce((total, size) => total + size, 0);
}
