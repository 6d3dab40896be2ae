import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import { KINDS } from "@/lib/core/columns/columns";
import type { ContextView } from "@/lib/core/compaction/policy";
import { MASK_MINIMUM_TOKENS, MASK_PROTECTED_TOKENS } from "./constants";

const RESULT = KINDS.indexOf("tool_result");

/** A result that is masked: its tokens by Gemini CLI's own rule, before and after. */
export interface PrunableResult {
  readonly item: ItemIndex;
  readonly whole: Tokens;
  readonly after: Tokens;
}

/**
 * Results that are masked before a request, newest first: what is older than the newest 50,000 tokens of tool output, once
 * that comes to 30,000; of it those that a preview makes smaller. None without measures: what a preview leaves depends on
 * the text. Source: systems/gemini-cli.md §4.2.
 * @param end position behind the history
 */
export function prunableResults(view: ContextView, end: number): readonly PrunableResult[] {
  if (view.columns.measures["gemini-cli.masked"] === undefined) return [];
  if (view.history - view.overhead < MASK_PROTECTED_TOKENS) return [];
  const found: PrunableResult[] = [];
  let [cumulative, prunable] = [0, 0];
  for (let position = end - 1; position >= 0; position--) {
    const result = maskable(view, view.items.at(position));
    if (result === undefined) continue;
    cumulative += result.whole;
    if (cumulative <= MASK_PROTECTED_TOKENS) continue;
    prunable += result.whole;
    if (result.after < result.whole) found.push(result);
  }
  return prunable < MASK_MINIMUM_TOKENS ? [] : found;
}

/** A result that may be masked and is not yet; one that a compression cut has its size from then on. */
function maskable(view: ContextView, item: ItemIndex): PrunableResult | undefined {
  const { kind, measures, length } = view.columns;
  if (item >= length || kind[item] !== RESULT) return undefined;
  const measured = (name: string) => measures[`gemini-cli.${name}`]?.[item] ?? 0;
  const [whole, after, cut] = [measured("tokens"), measured("masked"), measured("cut")];
  if (after === 0 || isReduced(view, item, whole, after)) return undefined;
  if (!isReduced(view, item, whole, cut)) return { item, whole, after };
  const cutMasked = measured("cutMasked");
  return isReduced(view, item, cut, cutMasked) ? undefined : { item, whole: cut, after: cutMasked };
}

/** Below these shares a smaller count cannot come from another token rule. */
const SMALL_SHARE = 0.15;
const RULE_SHARE = 0.4;

/**
 * Whether an item has been made smaller already. Under Gemini CLI's own rule its size says so; under another rule, where
 * sizes are in proportion, it is told by a count that is too small for the whole.
 */
export function isReduced(view: ContextView, item: ItemIndex, whole: Tokens, after: Tokens): boolean {
  const tokens = view.tokensOf(item);
  if (after >= whole) return false;
  // One more than measured: a share of a content is rounded up or down.
  return (tokens <= after + 1 && after + 1 < whole) || (after < SMALL_SHARE * whole && tokens < RULE_SHARE * whole);
}
