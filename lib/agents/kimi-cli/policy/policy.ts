import type { Tokens } from "@/lib/core/base/units";
import { KIND, ORIGIN } from "@/lib/core/columns/columns";
import { thresholdPolicy } from "@/lib/core/compaction/policies/threshold";
import type { ContextView } from "@/lib/core/compaction/policy/policy";
import { numberSetting } from "@/lib/core/compaction/policy/settings";
import { endWithCalls } from "@/lib/core/compaction/selection";
import { KIMI_PRESETS, kimiSettings } from "../base/presets";

/**
 * Kimi CLI's compaction, computed from the columns. Before a step that reaches a share of the window, or leaves less than a reserve free, a summary
 * replaces everything before the newest two user and assistant messages. Source: README.md, "Compaction".
 */
export const kimiPolicy = thresholdPolicy({
  id: "kimi-cli",
  label: "Kimi CLI",
  presets: KIMI_PRESETS,
  presetDates: { current: "2026-07" },
  settings: kimiSettings,
  // Smallest size that fires: either rule of `should_auto_compact` suffices.
  threshold: ({ window, settings }) => {
    const share = Math.ceil(window * numberSetting(settings, "triggerShare"));
    return Math.max(0, Math.min(share, window - numberSetting(settings, "reserved")));
  },
  // The last response's total usage and the estimate of the messages since.
  size: (view) => view.lastInput + (view.recordedOutput ?? view.lastOutput) + view.addedCount,
  // Nothing happens if no message lies before the kept ones.
  split: (view, { settings }) => {
    const from = keptFrom(view, numberSetting(settings, "keepRecentMessages"));
    return from <= 0 ? undefined : { kept: endWithCalls(view, from), summaryCallTokens: textTokens(view, from) };
  },
});

/** First position of the newest messages, without counting results; −1 if there are fewer. A summary counts as a message. */
function keptFrom({ items, columns }: ContextView, count: number): number {
  let seen = 0;
  for (let position = items.length - 1; position >= 0; position--) {
    const item = items.at(position);
    const isFirst = item >= columns.length || columns.message[items.at(position - 1)] !== columns.message[item];
    if ((position > 0 && !isFirst) || columns.origin[item] === ORIGIN.tool) continue;
    seen += 1;
    if (seen === count) return position;
  }
  return -1;
}

/** Tokens of the texts before a position: calls, thinking and media are not summarised. */
function textTokens(view: ContextView, end: number): Tokens {
  const { items, columns } = view;
  let tokens = 0;
  for (let position = 0; position < end; position++) {
    const item = items.at(position);
    const kind = columns.kind[item];
    if (item >= columns.length || kind === KIND.text || kind === KIND.tool_result) tokens += view.tokensOf(item);
  }
  return tokens;
}
