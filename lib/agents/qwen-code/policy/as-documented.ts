import type { Chars, ItemIndex, Tokens } from "@/lib/core/base/units";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { summaryFails, summaryIsEmpty } from "@/lib/core/compaction/policy/common-settings";
import type {
  Compaction,
  ContextView,
  PolicyPlan,
  PolicyRun,
  Retention,
  SyntheticItem,
} from "@/lib/core/compaction/policy/policy";
import { numberSetting } from "@/lib/core/compaction/policy/settings";
import { bySummary, summaryItem, unchanged } from "@/lib/core/compaction/retention";
import { endWithCalls, tokensBetween } from "@/lib/core/compaction/selection";
import { ACKNOWLEDGEMENT, autocompactBuffer, CHARS_PER_TOKEN, PROMPT_TOKENS } from "../base/constants";
import { ASSISTANT, acknowledgementItem, CALL, pendingFrom, RESULT } from "./history";
import type { Release } from "./release";

/** The release that the `/context` document describes: the oldest part of the history becomes a summary. */
export const asDocumented: Release = {
  enteredMeasure: "qwen-code.entered",
  looksBack: false,
  thresholdRule: "beforePrompts",
  threshold: ({ window, settings }) => window - autocompactBuffer(window, numberSetting(settings, "threshold")),
  begin: (plan) => new DocumentedRun(plan),
};

class DocumentedRun implements PolicyRun {
  /** The size at which it compacts; infinite without a share. */
  readonly #threshold: Tokens;
  /** True if the compared size includes the output. */
  readonly #comparesTotal: boolean;
  /** Requests above this size are refused; 0 or less means no limit. */
  readonly #sessionLimit: Tokens;
  readonly #summarisedShare: number;
  readonly #summaryTokens: Tokens;
  readonly #failSummary: unknown;
  readonly #json: Int32Array | undefined;
  /** True after a summary that was empty or larger than the replaced history: from then on it requests none. */
  #hasGivenUp = false;

  constructor({ columns, settings, window }: PolicyPlan) {
    const share = numberSetting(settings, "threshold");
    this.#threshold = share > 0 ? share * window : Number.POSITIVE_INFINITY;
    this.#comparesTotal = settings.usageField === "total";
    this.#sessionLimit = numberSetting(settings, "sessionTokenLimit");
    this.#summarisedShare = 1 - numberSetting(settings, "preserve");
    this.#summaryTokens = numberSetting(settings, "summaryTokens");
    this.#failSummary = settings.failSummary;
    const isCut = settings.entryTruncation === true;
    this.#json = columns.measures[isCut ? "qwen-code.enteredJsonChars" : "qwen-code.jsonChars"];
  }

  /** Decides by the last recorded size alone. Without a compaction, a request above the session's limit is refused. */
  before(view: ContextView): Compaction | undefined {
    const used = view.lastInput + (this.#comparesTotal ? view.lastOutput : 0);
    const split = view.lastInput > 0 && used >= this.#threshold && !this.#hasGivenUp ? this.#splitPosition(view) : 0;
    if (split > 0) return this.#summarised(view, split);
    const isRefused = this.#sessionLimit > 0 && used > this.#sessionLimit;
    return isRefused ? { ...unchanged(view, "blocked"), trigger: "overflow" } : undefined;
  }

  compact(view: ContextView): Compaction | undefined {
    const split = this.#splitPosition(view);
    return split > 0 ? this.#summarised(view, split) : undefined;
  }

  /** Keeps everything from the split on, after a summary and its acknowledgement. */
  #summarised(view: ContextView, split: number): Retention {
    const summarised = tokensBetween(view, 0, split);
    const callTokens = summarised + PROMPT_TOKENS;
    // The error ends the request and is not remembered, so the next request tries again.
    if (summaryFails(this.#failSummary, view.summaryCalls)) return unchanged(view, "failed", callTokens);
    // A summary larger than the replaced history is discarded.
    this.#hasGivenUp = this.#summaryTokens > summarised || summaryIsEmpty(this.#failSummary);
    if (this.#hasGivenUp) return unchanged(view, "failed", callTokens);
    return bySummary({
      kept: endWithCalls(view, split),
      added: [summaryItem(this.#summaryTokens), acknowledgementItem],
      summaryTokens: this.#summaryTokens,
      summaryCallTokens: callTokens,
    });
  }

  /**
   * First kept position; 0 if nothing can be summarised. This applies the rule of `verify/agents/qwen-code/split-point.ts` to the contents' lengths: the first user
   * content without a result at or after the share, else the end or the last such content.
   */
  #splitPosition(view: ContextView): number {
    const { cuts, end, chars, complete } = historyCuts(view, this.#json);
    const target = chars * this.#summarisedShare;
    const reached = cuts.find(({ before }) => before >= target)?.at;
    return reached ?? (complete ? end : (cuts.at(-1)?.at ?? 0));
  }
}

/** Length of the JSON around one text: `{"role":"user","parts":[{"text":""}]}`. */
const TEXT_CONTENT_CHARS: Chars = '{"role":"user","parts":[{"text":""}]}'.length;
const TEXT_PART_CHARS: Chars = '{"text":""},'.length;

/** User contents of the history without a result, the length of the JSON before each, and the length of the whole. */
interface HistoryCuts {
  readonly cuts: readonly { readonly at: number; readonly before: Chars }[];
  readonly end: number;
  readonly chars: Chars;
  /** True if the last content is the model's and calls no tool. */
  readonly complete: boolean;
}

/** @param json units of every content's JSON, on its first row; without it they are computed from the characters */
function historyCuts(view: ContextView, json: Int32Array | undefined): HistoryCuts {
  const { message, kind, role, length } = view.columns;
  const end = pendingFrom(view);
  const items = view.items.list();
  const cuts: { readonly at: number; readonly before: Chars }[] = [];
  let chars: Chars = 0;
  let content = Number.NaN;
  let isModel = false;
  let hasCall = false;
  let canCut = false;
  for (let position = 0; position < end; position++) {
    const item = items[position] ?? -1;
    const synthetic = item < length ? undefined : view.synthetic(item);
    const isFirst = item >= length || message[item] !== content;
    content = item < length ? (message[item] ?? Number.NaN) : Number.NaN;
    if (isFirst) {
      isModel = synthetic === undefined ? role[item] === ASSISTANT : isAcknowledgement(synthetic);
      hasCall = false;
      canCut = !isModel;
      if (canCut) cuts.push({ at: position, before: chars });
    }
    chars +=
      synthetic === undefined ? (json?.[item] ?? estimatedChars(view.columns, item, isFirst)) : ownChars(synthetic);
    if (item < length && kind[item] === CALL) hasCall = true;
    if (item < length && kind[item] === RESULT && canCut) {
      canCut = false;
      cuts.pop();
    }
  }
  return { cuts, end, chars, complete: isModel && !hasCall };
}

function isAcknowledgement({ kind }: SyntheticItem): boolean {
  return kind === "acknowledgement";
}

/** Length of the JSON of an item that a compaction added. */
function ownChars(item: SyntheticItem): Chars {
  return TEXT_CONTENT_CHARS + (isAcknowledgement(item) ? ACKNOWLEDGEMENT.length + 1 : item.tokens * CHARS_PER_TOKEN);
}

function estimatedChars({ chars }: SessionColumns, row: ItemIndex, isFirst: boolean): Chars {
  return (chars[row] ?? 0) + (isFirst ? TEXT_CONTENT_CHARS : TEXT_PART_CHARS);
}
