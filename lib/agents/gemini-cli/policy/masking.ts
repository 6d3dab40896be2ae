import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import { KIND, type SessionColumns } from "@/lib/core/columns/columns";
import type { ContextView, PolicyPlan, Positions, Retention } from "@/lib/core/compaction/policy/policy";
import { numberSetting } from "@/lib/core/compaction/policy/settings";
import { responseEnd } from "@/lib/core/compaction/selection";
import { growsWhenCut, isMasked, isReduced } from "./reduced";

/**
 * Masks results, from the newest back. The newest tool output up to a limit (50,000) is protected. As soon as the older output reaches a minimum
 * (30,000), those results in it that a preview makes smaller are masked. Without measures nothing is masked, since the size of a preview depends on
 * the text. Source: README.md, "Masking".
 */
export class Masking {
  readonly #protects: Tokens;
  readonly #minimum: Tokens;
  readonly #measures: MaskMeasures | undefined;
  #counted: Counted = NOTHING_COUNTED;

  constructor({ columns, settings }: PolicyPlan) {
    this.#protects = numberSetting(settings, "maskProtectedTokens");
    this.#minimum = numberSetting(settings, "maskMinimumTokens");
    this.#measures = measuresOf(columns);
  }

  /** The results masked before a request, with their new sizes. */
  before(view: ContextView): Retention["cleared"] {
    if (this.#measures === undefined || view.history - view.overhead < this.#protects) return NONE;
    const end = responseEnd(view);
    if (this.#prunableTokens(view, end, this.#measures) < this.#minimum) return NONE;
    return this.#maskedAt(view, [[0, end]], this.#measures, (item) => view.tokensOf(item));
  }

  /** Masks the results that a compression keeps before the same request: the program masks after it. */
  afterCompression(view: ContextView, retention: Retention): Retention {
    if (this.#measures === undefined) return retention;
    const cut = new Map(retention.truncated);
    const end = responseEnd(view);
    const history = retention.kept.map(([from, to]) => [from, Math.min(to, end)] as const);
    const tokensOf = (item: ItemIndex) => cut.get(item) ?? view.tokensOf(item);
    const cleared = this.#maskedAt(view, history, this.#measures, tokensOf);
    if (cleared.length === 0) return retention;
    const clearedItems = new Set(cleared.map(([item]) => item));
    return { ...retention, truncated: retention.truncated.filter(([item]) => !clearedItems.has(item)), cleared };
  }

  #maskedAt(
    view: ContextView,
    positions: Positions,
    measures: MaskMeasures,
    tokensOf: (item: ItemIndex) => Tokens,
  ): Retention["cleared"] {
    const { kind, length } = view.columns;
    const protects = this.#protects;
    const found: (readonly [ItemIndex, Tokens])[] = [];
    let [cumulative, prunable] = [0, 0];
    for (const [from, to] of positions.toReversed()) {
      for (let position = to - 1; position >= from; position--) {
        const item = view.items.at(position);
        if (item >= length || kind[item] !== KIND.tool_result) continue;
        const tokens = tokensOf(item);
        const result = maskable(item, tokens, measures);
        if (result === undefined) continue;
        const { whole, after } = result;
        cumulative += whole;
        if (cumulative <= protects) continue;
        prunable += whole;
        if (after < whole) found.push([item, Math.round((tokens * after) / whole)]);
      }
    }
    return prunable < this.#minimum ? NONE : found;
  }

  /**
   * Upper bound of the tokens beyond the protected ones; results that are cleared without a compaction still count in full. Reads only new items, and
   * the ones that these make old.
   */
  #prunableTokens(view: ContextView, end: number, measures: MaskMeasures): Tokens {
    let { end: position, from, before, newest } = this.#grewSince(view, end) ? this.#counted : NOTHING_COUNTED;
    for (; position < end; position++) newest += wholeAt(view, position, measures);
    const protects = this.#protects;
    for (; newest > protects && from < end; from++) {
      const tokens = wholeAt(view, from, measures);
      newest -= tokens;
      before += tokens;
    }
    const last = end === 0 ? -1 : view.items.at(end - 1);
    this.#counted = { compactions: view.compactions, end, last, from, before, newest };
    return before;
  }

  /** True if the context has only grown since it was counted. */
  #grewSince(view: ContextView, end: number): boolean {
    const known = this.#counted;
    if (known.compactions !== view.compactions || known.end > end) return false;
    return known.end === 0 || view.items.at(known.end - 1) === known.last;
  }
}

const NONE: Retention["cleared"] = [];

/** Maskable size of a growing context. */
interface Counted {
  readonly compactions: number;
  /** End of the counted part, and the item before it. */
  readonly end: number;
  readonly last: ItemIndex;
  /** Position of the first protected result; the tokens before it, and those from it on. */
  readonly from: number;
  readonly before: Tokens;
  readonly newest: Tokens;
}

const NOTHING_COUNTED: Counted = { compactions: 0, end: 0, last: -1, from: 0, before: 0, newest: 0 };

function wholeAt(view: ContextView, position: number, measures: MaskMeasures): Tokens {
  const item = view.items.at(position);
  if (item >= view.columns.length || view.columns.kind[item] !== KIND.tool_result) return 0;
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

/** Tokens of a result by Gemini CLI's own rule, before and after it is masked. */
interface Maskable {
  readonly whole: Tokens;
  readonly after: Tokens;
}

/** Sizes of a result that may be masked and is not masked yet. A result that a compression cut starts from its cut size. */
function maskable(item: ItemIndex, tokens: Tokens, measures: MaskMeasures): Maskable | undefined {
  const sizes = {
    whole: measures.tokens[item] ?? 0,
    after: measures.masked[item] ?? 0,
    cut: measures.cut[item] ?? 0,
    cutMasked: measures.cutMasked[item] ?? 0,
  };
  const { whole, after, cut, cutMasked } = sizes;
  if (after === 0 || isMasked(tokens, sizes)) return undefined;
  const isCut = growsWhenCut(sizes) ? Math.abs(tokens - cut) <= 1 : isReduced(tokens, whole, cut);
  if (!isCut) return { whole, after };
  return isReduced(tokens, cut, cutMasked) ? undefined : { whole: cut, after: cutMasked };
}
