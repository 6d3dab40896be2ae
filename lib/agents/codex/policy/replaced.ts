import type { Tokens } from "@/lib/core/base/units";
import type { Compaction, ContextView } from "@/lib/core/compaction/policy";
import { bySummary, summaryItem, unchanged } from "@/lib/core/compaction/retention";
import { summaryFails, summaryIsEmpty } from "@/lib/core/compaction/settings/common-settings";
import { numberSetting, type Settings } from "@/lib/core/compaction/settings/settings";
import { EMPTY_SUMMARY_TOKENS } from "../constants";
import { keptMessages } from "./kept-messages";
import type { Selection } from "./message-budget";
import { summaryCall } from "./summary-call";
import { historyEnd } from "./usage";

/** What replaces a history. */
export interface Replacement {
  readonly selection: Selection;
  readonly summaryTokens: Tokens;
  readonly failSummary: unknown;
}

/** Size of a summary that the program itself makes: even one without a text keeps the line before it. */
export function summarySize(settings: Settings): Tokens {
  return summaryIsEmpty(settings.failSummary) ? EMPTY_SUMMARY_TOKENS : numberSetting(settings, "summaryTokens");
}

/** The compaction before a request: it keeps the selected messages, and adds the summary after them. Where the call fails, the history stays. */
export function replaced(view: ContextView, { selection, summaryTokens, failSummary }: Replacement): Compaction {
  const end = historyEnd(view);
  const { tokens: callTokens, unsent } = summaryCall(view, end, selection.remote);
  if (summaryFails(failSummary, view.summaryCalls)) return unchanged(view, "failed", callTokens);
  const { kept, truncated, limits } = keptMessages(view, selection, end);
  return bySummary({
    kept,
    truncated,
    limits,
    unsent,
    added: [summaryItem(summaryTokens)],
    addedAt: "back",
    entering: view.items.length - end,
    summaryTokens,
    summaryCallTokens: callTokens,
  });
}
