import type { Chars, ItemIndex, Share, Tokens } from "@/lib/core/base/units";
import type { ContextView } from "@/lib/core/compaction/policy/policy";
import { responseEnd } from "@/lib/core/compaction/selection";
import { ACKNOWLEDGEMENT } from "../base/constants";
import { growsWhenCut, isMasked, isReduced } from "./reduced";
import { resizedTo, type Sizes, sizesOf, TRAIT, WRAPPER_CHARS } from "./sizes";
import { type Cut, splitPointOf } from "./split-point";

/** The history before a request, as a compression sees it. */
export interface History {
  /** Position after its last item. */
  readonly end: number;
  /** First kept position; 0 if there is nothing to cut off. */
  readonly split: number;
  /** New sizes of cut results. */
  readonly cut: ReadonlyMap<ItemIndex, Tokens>;
}

/**
 * Finds the split point of the history, and the tool responses to cut.
 * @param budget tokens of the responses to keep whole
 */
export function historyOf(view: ContextView, budget: Tokens, summarised: Share): History {
  const end = responseEnd(view);
  const { cuts, cut, ...history } = cutsOf(view, end, budget);
  return { end, split: splitPointOf(cuts, { end, ...history }, summarised), cut };
}

/**
 * Possible split points of the history: before user contents without a tool's response. The walk goes from the newest item back, since results that
 * do not fit the budget are cut in that order, and a cut result counts with its remaining size.
 */
function cutsOf(view: ContextView, end: number, budget: Tokens) {
  const { message, length } = view.columns;
  const items = view.items.list();
  const own = sizesOf(view.columns);
  const { traits, json } = own;
  const results = new CutResults(view, own, budget);
  const starts: { readonly at: number; readonly charsAfter: Chars }[] = [];
  let chars: Chars = 0;
  /** Traits of the content's items so far. */
  let seen = 0;
  let complete: boolean | undefined;
  for (let position = end - 1; position >= 0; position--) {
    const item = items[position] ?? -1;
    const trait = item < length ? (traits[item] ?? 0) : addedTrait(view, item);
    seen |= trait;
    if (item >= length) chars += addedChars(view, item);
    else chars += (trait & TRAIT.RESULT) === 0 ? (json[item] ?? 0) : results.take(item);
    const before = position === 0 ? length : (items[position - 1] ?? length);
    if (item < length && before < length && message[before] === message[item]) continue;
    // A content's first item shows whose content it is.
    const model = (trait & TRAIT.MODEL) !== 0;
    complete ??= model && (seen & TRAIT.CALL) === 0;
    if (!model && (seen & TRAIT.RESULT) === 0) starts.push({ at: position, charsAfter: chars });
    seen = 0;
  }
  const cuts: Cut[] = starts.reverse().map(({ at, charsAfter }) => ({ at, before: chars - charsAfter }));
  return { cuts, cut: results.cut, chars, complete: complete === true };
}

/** Cuts the results of a history that do not fit the budget, from the newest back. */
class CutResults {
  readonly cut = new Map<ItemIndex, Tokens>();
  #left: Tokens;

  constructor(
    private readonly view: ContextView,
    private readonly own: Sizes,
    budget: Tokens,
  ) {
    this.#left = budget;
  }

  /** Takes the next older result, and returns the remaining length of its JSON. */
  take(item: ItemIndex): Chars {
    const { view, own } = this;
    if (isMaskedNow(view, item, own)) {
      this.#left -= own.maskedText[item] ?? 0;
      return own.maskedJson[item] ?? 0;
    }
    const wasCut = isAsCut(view, item, own);
    const after = own.cutText[item] ?? 0;
    const tokens = wasCut ? after : (own.text[item] ?? 0);
    const fits = tokens <= this.#left;
    const isCut = !fits && (tokens > after || (!wasCut && growsNow(view, item, own)));
    if (isCut) this.cut.set(item, resizedTo(view.columns, item, view.tokensOf(item), "gemini-cli.cut"));
    this.#left -= fits ? tokens : after;
    return (wasCut || isCut ? own.cutJson[item] : own.json[item]) ?? 0;
  }
}

const ACKNOWLEDGED_CHARS = JSON.stringify({ role: "model", parts: [{ text: ACKNOWLEDGEMENT }] }).length;

function addedChars(view: ContextView, item: ItemIndex): Chars {
  return isAcknowledgement(view, item) ? ACKNOWLEDGED_CHARS : WRAPPER_CHARS + view.tokensOf(item) * 4;
}

function addedTrait(view: ContextView, item: ItemIndex): number {
  return isAcknowledgement(view, item) ? TRAIT.MODEL : 0;
}

function isAcknowledgement(view: ContextView, item: ItemIndex): boolean {
  return view.synthetic(item)?.kind === "acknowledgement";
}

function isMaskedNow(view: ContextView, item: ItemIndex, own: Sizes): boolean {
  const [whole, after] = [own.tokens[item] ?? 0, own.masked[item] ?? 0];
  const [cut, cutMasked] = [own.cut[item] ?? 0, own.cutMasked[item] ?? 0];
  return after > 0 && isMasked(view.tokensOf(item), { whole, after, cut, cutMasked });
}

/** True if a result already has the size of a cut one. */
function isAsCut(view: ContextView, item: ItemIndex, { tokens, cut }: Sizes): boolean {
  const [whole, after, now] = [tokens[item] ?? 0, cut[item] ?? 0, view.tokensOf(item)];
  return growsWhenCut({ whole, cut: after }) ? Math.abs(now - after) <= 1 : isReduced(now, whole, after);
}

/** True if saving a result to a file makes it larger although nothing is cut off; known only under Gemini CLI's own rule. */
function growsNow(view: ContextView, item: ItemIndex, { tokens, cut }: Sizes): boolean {
  const whole = tokens[item] ?? 0;
  return growsWhenCut({ whole, cut: cut[item] ?? 0 }) && Math.abs(view.tokensOf(item) - whole) <= 1;
}
