import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import { KINDS, type SessionColumns } from "@/lib/core/columns/columns";
import type { ContextView } from "@/lib/core/compaction/policy";
import { responseEnd } from "@/lib/core/compaction/selection";
import { numberSetting, type Settings } from "@/lib/core/compaction/settings";

const RESULT = KINDS.indexOf("tool_result");

/** A result that is masked: its tokens by Gemini CLI's own rule, before and after. */
export interface PrunableResult {
  readonly item: ItemIndex;
  readonly whole: Tokens;
  readonly after: Tokens;
}

/**
 * Results that are masked before a request, newest first: what is older than the newest tokens of tool output that are
 * protected (50,000), once that comes to a minimum (30,000); of it those that a preview makes smaller. None without measures: what a preview leaves depends on
 * the text. Source: systems/gemini-cli.md §4.2.
 */
export function prunableResults(view: ContextView, settings: Settings): readonly PrunableResult[] {
  const protects = numberSetting(settings, "maskProtectedTokens");
  if (view.history - view.overhead < protects) return NONE;
  const minimum = numberSetting(settings, "maskMinimumTokens");
  const measures = measuresOf(view.columns);
  if (measures === undefined) return NONE;
  const end = responseEnd(view);
  if (prunableTokens(view, end, measures, protects) < minimum) return NONE;
  const { kind, length } = view.columns;
  const found: PrunableResult[] = [];
  let [cumulative, prunable] = [0, 0];
  for (let position = end - 1; position >= 0; position--) {
    const item = view.items.at(position);
    if (item >= length || kind[item] !== RESULT) continue;
    const result = maskable(view, item, measures);
    if (result === undefined) continue;
    cumulative += result.whole;
    if (cumulative <= protects) continue;
    prunable += result.whole;
    if (result.after < result.whole) found.push(result);
  }
  return prunable < minimum ? NONE : found;
}

const NONE: readonly PrunableResult[] = [];

/** What may be masked of a context that only grows. */
interface Counted {
  compactions: number;
  /** Position up to which it is counted, and the item in front of it. */
  end: number;
  last: ItemIndex;
  /** First of the newest results, which are protected: all tokens before it, and those from it on. */
  from: number;
  before: Tokens;
  newest: Tokens;
}

const counted = new WeakMap<ContextView, Counted>();

/**
 * Tokens that lie behind the protected ones, at most: results that are cleared without a compaction still count as they were.
 * Looks at what is new, and at what the new makes old.
 */
function prunableTokens(view: ContextView, end: number, measures: MaskMeasures, protects: Tokens): Tokens {
  const count = countedOf(view, end);
  for (let position = count.end; position < end; position++) count.newest += wholeAt(view, position, measures);
  for (; count.newest > protects && count.from < end; count.from++) {
    const tokens = wholeAt(view, count.from, measures);
    count.newest -= tokens;
    count.before += tokens;
  }
  count.end = end;
  count.last = end === 0 ? -1 : view.items.at(end - 1);
  return count.before;
}

/** What was counted at an earlier request, where the context has only grown since; else a count of nothing. */
function countedOf(view: ContextView, end: number): Counted {
  const known = counted.get(view);
  const grew =
    known !== undefined &&
    known.compactions === view.compactions &&
    known.end <= end &&
    (known.end === 0 || view.items.at(known.end - 1) === known.last);
  if (grew) return known;
  const count = { compactions: view.compactions, end: 0, last: -1, from: 0, before: 0, newest: 0 };
  counted.set(view, count);
  return count;
}

function wholeAt(view: ContextView, position: number, measures: MaskMeasures): Tokens {
  const item = view.items.at(position);
  if (item >= view.columns.length || view.columns.kind[item] !== RESULT) return 0;
  return maskable(view, item, measures)?.whole ?? 0;
}

interface MaskMeasures {
  readonly tokens: Int32Array;
  readonly masked: Int32Array;
  readonly cut: Int32Array;
  readonly cutMasked: Int32Array;
}

function measuresOf({ measures }: SessionColumns): MaskMeasures | undefined {
  const [tokens, masked] = [measures["gemini-cli.tokens"], measures["gemini-cli.masked"]];
  const [cut, cutMasked] = [measures["gemini-cli.cut"], measures["gemini-cli.cutMasked"]];
  if (tokens === undefined || masked === undefined || cut === undefined || cutMasked === undefined) return undefined;
  return { tokens, masked, cut, cutMasked };
}

/** A result that may be masked and is not yet; one that a compression cut has its size from then on. */
function maskable(view: ContextView, item: ItemIndex, measures: MaskMeasures): PrunableResult | undefined {
  const [whole, after, cut] = [measures.tokens[item] ?? 0, measures.masked[item] ?? 0, measures.cut[item] ?? 0];
  if (after === 0) return undefined;
  if (isReduced(view, item, whole, after) && !isExactlyCut(view, item, cut, after)) return undefined;
  if (!isReduced(view, item, whole, cut)) return { item, whole, after };
  const cutMasked = measures.cutMasked[item] ?? 0;
  return isReduced(view, item, cut, cutMasked) ? undefined : { item, whole: cut, after: cutMasked };
}

/** Whether an item has the size of a cut, which may be small enough for a masked one under another token rule. */
export function isExactlyCut(view: ContextView, item: ItemIndex, cut: Tokens, masked: Tokens): boolean {
  const tokens = view.tokensOf(item);
  return Math.abs(tokens - cut) <= 1 && tokens > masked + 1;
}

/** Below these shares a smaller count cannot come from another token rule. */
const SMALL_SHARE = 0.15;
const RULE_SHARE = 0.4;

/**
 * Whether an item has been made smaller already. Under Gemini CLI's own rule its size says so; under another rule, where
 * sizes are in proportion, it is told by a count that is too small for the whole.
 */
export function isReduced(view: ContextView, item: ItemIndex, whole: Tokens, after: Tokens): boolean {
  if (after >= whole) return false;
  const tokens = view.tokensOf(item);
  // One more than measured, where that tells the two apart: a share of a content is rounded up or down.
  return (
    tokens <= Math.min(after + 1, whole - 2) ||
    tokens <= after ||
    (after < SMALL_SHARE * whole && tokens < RULE_SHARE * whole)
  );
}
