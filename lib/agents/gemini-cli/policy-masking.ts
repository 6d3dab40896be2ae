import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import { KINDS, type SessionColumns } from "@/lib/core/columns/columns";
import type { ContextView, Positions } from "@/lib/core/compaction/policy";
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
 * the text. Source: README.md, "Masking".
 */
export function prunableResults(view: ContextView, settings: Settings): readonly PrunableResult[] {
  const protects = numberSetting(settings, "maskProtectedTokens");
  if (view.history - view.overhead < protects) return NONE;
  const minimum = numberSetting(settings, "maskMinimumTokens");
  const measures = measuresOf(view.columns);
  if (measures === undefined) return NONE;
  const end = responseEnd(view);
  if (prunableTokens(view, end, measures, protects) < minimum) return NONE;
  return prunableAt(view, [[0, end]], measures, { protects, minimum, tokensOf: (item) => view.tokensOf(item) });
}

/**
 * The same of what a compression leaves, before the same request: the program masks behind it. @param kept where it stands
 * @param cut sizes of the results that the compression cuts
 */
export function prunableBehind(
  view: ContextView,
  settings: Settings,
  { kept, cut }: { readonly kept: Positions; readonly cut: ReadonlyMap<ItemIndex, Tokens> },
): readonly PrunableResult[] {
  const measures = measuresOf(view.columns);
  if (measures === undefined) return NONE;
  const end = responseEnd(view);
  const history = kept.map(([from, to]) => [from, Math.min(to, end)] as const);
  return prunableAt(view, history, measures, {
    protects: numberSetting(settings, "maskProtectedTokens"),
    minimum: numberSetting(settings, "maskMinimumTokens"),
    tokensOf: (item) => cut.get(item) ?? view.tokensOf(item),
  });
}

/** What is protected, and the sizes as they stand. */
interface MaskRule {
  readonly protects: Tokens;
  readonly minimum: Tokens;
  readonly tokensOf: (item: ItemIndex) => Tokens;
}

function prunableAt(view: ContextView, positions: Positions, measures: MaskMeasures, rule: MaskRule) {
  const { kind, length } = view.columns;
  const found: PrunableResult[] = [];
  let [cumulative, prunable] = [0, 0];
  for (const [from, to] of positions.toReversed()) {
    for (let position = to - 1; position >= from; position--) {
      const item = view.items.at(position);
      if (item >= length || kind[item] !== RESULT) continue;
      const result = maskable(item, rule.tokensOf(item), measures);
      if (result === undefined) continue;
      cumulative += result.whole;
      if (cumulative <= rule.protects) continue;
      prunable += result.whole;
      if (result.after < result.whole) found.push(result);
    }
  }
  return prunable < rule.minimum ? NONE : found;
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
  return maskable(item, view.tokensOf(item), measures)?.whole ?? 0;
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
function maskable(item: ItemIndex, tokens: Tokens, measures: MaskMeasures): PrunableResult | undefined {
  const sizes = {
    whole: measures.tokens[item] ?? 0,
    after: measures.masked[item] ?? 0,
    cut: measures.cut[item] ?? 0,
    cutMasked: measures.cutMasked[item] ?? 0,
  };
  const { whole, after, cut, cutMasked } = sizes;
  if (after === 0 || isMasked(tokens, sizes)) return undefined;
  const isCut = growsWhenCut(sizes) ? Math.abs(tokens - cut) <= 1 : isReduced(tokens, whole, cut);
  if (!isCut) return { item, whole, after };
  return isReduced(tokens, cut, cutMasked) ? undefined : { item, whole: cut, after: cutMasked };
}

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
