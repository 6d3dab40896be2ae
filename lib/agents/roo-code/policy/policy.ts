import { taskMessages } from "@/lib/agents/shared/task-messages";
import { charsOverFour } from "@/lib/core/base/characters";
import type { Tokens } from "@/lib/core/base/units";
import { ORIGIN } from "@/lib/core/columns/columns";
import { type Split, thresholdPolicy } from "@/lib/core/compaction/policies/threshold";
import type { ContextView, PolicyChosen, Retention, SyntheticItem } from "@/lib/core/compaction/policy/policy";
import { numberSetting } from "@/lib/core/compaction/policy/settings";
import { bySummary } from "@/lib/core/compaction/retention";
import { endWithCalls, tokensBetween } from "@/lib/core/compaction/selection";
import { BUFFER_SHARE, CONDENSE_PERCENT, HIDDEN_SHARE, KEPT_MESSAGES, MARKER_CHARS } from "../base/constants";
import { ROO_PRESETS, rooSettings } from "../base/presets";

/**
 * Roo Code's context management, computed from the columns. Before a request at the limit, a summary replaces everything; without one, older messages
 * after the first are hidden. Source: README.md, "Compaction".
 */
export const rooPolicy = thresholdPolicy({
  id: "roo-code",
  label: "Roo Code",
  presets: ROO_PRESETS,
  presetDates: { current: "2026-04" },
  settings: rooSettings,
  threshold: (chosen) => {
    const { window, settings } = chosen;
    if (settings.autoCondense !== true) return firstAbove(chosen);
    const percent = Number(settings.condensePercent ?? CONDENSE_PERCENT);
    return Math.min(Math.ceil((window * percent) / 100), firstAbove(chosen));
  },
  size,
  split: (view, { preset, settings }) => {
    if (settings.autoCondense !== true) return undefined;
    return preset === "current" ? splitNow(view) : splitBefore(view);
  },
  // A truncation needs the higher limit.
  fallback: (view, plan, callTokens) => (size(view) >= firstAbove(plan) ? truncation(view, callTokens) : undefined),
});

/** The last request with its answer, and the message about to be sent; −1 before the first request. */
function size(view: ContextView): Tokens {
  return view.lastInput <= 0 ? -1 : view.lastInput + (view.recordedOutput ?? view.lastOutput) + view.addedCount;
}

/** Smallest size that leaves less than the buffer and the longest answer free. */
function firstAbove({ window, settings }: PolicyChosen): Tokens {
  return Math.max(0, Math.floor(window * (1 - BUFFER_SHARE) - numberSetting(settings, "maxOutputTokens")) + 1);
}

/** A summary of everything, including the message about to be sent; none if the context holds only a summary and one message. */
function splitNow(view: ContextView): Split | undefined {
  const messages = taskMessages(view).length;
  const isSummary = view.synthetic(view.items.at(0))?.kind === "summary";
  if (messages <= (isSummary ? 2 : 1)) return undefined;
  return { kept: [], summaryCallTokens: view.history - view.overhead };
}

/** Before v3.43.0: keeps the first message, and the newest three with the calls of the first of these. */
function splitBefore(view: ContextView): Split | undefined {
  const starts = taskMessages(view);
  const newest = starts.length - KEPT_MESSAGES;
  if (newest <= 1) return undefined;
  const isResult = view.columns.origin[view.items.at(starts[newest] ?? 0)] === ORIGIN.tool;
  const from = starts[isResult ? newest - 1 : newest] ?? 0;
  const first = starts[1] ?? 0;
  for (let position = from; position < view.items.length; position++)
    if (view.synthetic(view.items.at(position))?.kind === "summary") return undefined;
  return from <= first
    ? undefined
    : { kept: [[0, first], ...endWithCalls(view, from)], summaryCallTokens: tokensBetween(view, 0, from) };
}

/** Hides whole pairs of messages after the first. Results whose call is hidden are dropped too. */
function truncation(view: ContextView, summaryCallTokens: Tokens): Retention | undefined {
  const starts = taskMessages(view);
  const hidden = Math.floor(((starts.length - 1) * HIDDEN_SHARE) / 2) * 2;
  if (hidden <= 0) return undefined;
  const from = starts[1 + hidden] ?? view.items.length;
  return bySummary({
    kept: [[0, starts[1] ?? 0], ...endWithCalls(view, from)],
    added: [MARKER],
    addedAt: "back",
    summaryTokens: 0,
    summaryCallTokens,
    outcome: "trim",
  });
}

const MARKER: SyntheticItem = {
  kind: "note",
  name: "truncationMarker",
  category: "other",
  tokens: charsOverFour(MARKER_CHARS),
  label: "marker of a truncation",
};
