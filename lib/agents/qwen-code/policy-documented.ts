import type { Chars, ItemIndex, Tokens } from "@/lib/core/base/units";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { summaryFails, summaryIsEmpty } from "@/lib/core/compaction/common-settings";
import type { ContextView, Retention, SimulatedTrigger, SyntheticItem } from "@/lib/core/compaction/policy";
import { perSettings, remembered } from "@/lib/core/compaction/remembered";
import { summaryItem, unchanged } from "@/lib/core/compaction/retention";
import { endWithCalls, tokensBetween } from "@/lib/core/compaction/selection";
import { numberSetting, type Settings } from "@/lib/core/compaction/settings";
import { ACKNOWLEDGEMENT, CHARS_PER_TOKEN, PROMPT_TOKENS } from "./constants";
import {
  ASSISTANT,
  acknowledgementItem,
  CALL,
  FAILED,
  failure,
  isMark,
  markCount,
  pendingFrom,
  RESULT,
} from "./policy-view";

/** A compaction; without one a request above the session's limit is refused, where one is set. */
export function documentedTrigger(view: ContextView, settings: Settings): SimulatedTrigger | null {
  if (compacts(view, settings)) return "threshold";
  const limit = sessionLimit(view.window, settings);
  return limit > 0 && usedTokens(view, settings) > limit ? "overflow" : null;
}

/** The last recorded figure: nothing is estimated. */
function usedTokens(view: ContextView, settings: Settings): Tokens {
  return view.lastInput + (settings.usageField === "total" ? view.lastOutput : 0);
}

/** `>=` the share of the window, by the last recorded figure alone; never again after an empty or larger summary; not without a split. */
function compacts(view: ContextView, settings: Settings): boolean {
  const share = triggerShare(view.window, settings);
  if (share <= 0 || view.lastInput <= 0 || usedTokens(view, settings) < share * view.window) return false;
  return markCount(view, FAILED) === 0 && splitPosition(view, settings) > 0;
}

const triggerShare = perSettings((_window, settings) => numberSetting(settings, "threshold"));
const sessionLimit = perSettings((_window, settings) => numberSetting(settings, "sessionTokenLimit"));

/** What stays: everything from the split on, behind a summary and its acknowledgement; all of it where the request is refused. */
export function compactDocumented(view: ContextView, settings: Settings): Retention {
  if (!compacts(view, settings)) return unchanged(view, "blocked");
  const split = splitPosition(view, settings);
  const summarised = tokensBetween(view, 0, split);
  const callTokens = summarised + PROMPT_TOKENS;
  const summaryTokens = numberSetting(settings, "summaryTokens");
  // The error ends the request, and nothing is remembered of it: the next one asks again.
  if (summaryFails(settings.failSummary, view.summaryCalls)) return unchanged(view, "failed", callTokens);
  // A summary larger than what it stands for is thrown away.
  if (summaryTokens > summarised || summaryIsEmpty(settings.failSummary)) {
    return failure(view, FAILED, callTokens, "failed");
  }
  return {
    kept: endWithCalls(view, split),
    truncated: [],
    cleared: [],
    added: [summaryItem(summaryTokens), acknowledgementItem],
    addedAt: "front",
    outcome: "summary",
    summaryTokens,
    summaryCallTokens: callTokens,
  };
}

/**
 * First position of what stays; 0 where nothing can be summarised. The exact rule (`split-point.ts`) over the contents'
 * lengths: the first user content without a result at or behind the fraction, else everything or the last such content.
 */
const splitPosition = remembered((view: ContextView, settings: Settings): number => {
  const { cuts, end, chars, complete } = historyCuts(view, settings.entryTruncation === true);
  const target = chars * (1 - numberSetting(settings, "preserve"));
  const reached = cuts.find(({ before }) => before >= target)?.at;
  return reached ?? (complete ? end : (cuts.at(-1)?.at ?? 0));
});

/** JSON around one text: `{"role":"user","parts":[{"text":""}]}`. */
const TEXT_CONTENT_CHARS: Chars = '{"role":"user","parts":[{"text":""}]}'.length;
const TEXT_PART_CHARS: Chars = '{"text":""},'.length;

/** The user contents of the history without a result, the JSON before each, and what the history comes to. */
interface HistoryCuts {
  readonly cuts: readonly { readonly at: number; readonly before: Chars }[];
  readonly end: number;
  readonly chars: Chars;
  /** Whether the last content is the model's and calls nothing. */
  readonly complete: boolean;
}

function historyCuts(view: ContextView, entered: boolean): HistoryCuts {
  const { message, kind, role, length } = view.columns;
  const end = pendingFrom(view);
  const items = view.items.list();
  const json = view.columns.measures[entered ? "qwen-code.enteredJsonChars" : "qwen-code.jsonChars"];
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
    if (synthetic !== undefined && isMark(synthetic)) continue;
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

/** JSON of an item that a compaction added. */
function ownChars(item: SyntheticItem): Chars {
  return TEXT_CONTENT_CHARS + (isAcknowledgement(item) ? ACKNOWLEDGEMENT.length + 1 : item.tokens * CHARS_PER_TOKEN);
}

function estimatedChars({ chars }: SessionColumns, row: ItemIndex, isFirst: boolean): Chars {
  return (chars[row] ?? 0) + (isFirst ? TEXT_CONTENT_CHARS : TEXT_PART_CHARS);
}
