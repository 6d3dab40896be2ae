import type { Tokens } from "@/lib/core/base/units";
import { type CrossCheckRun, loadRecording, type RecordingSource, sumOf } from "../../testing/cross-check";
import { addedItem, type ItemList } from "../../testing/item-list";
import { type ListedChoice, type ListedRule, listedRuns } from "../../testing/listed-run";
import { claudeCodeEstimator } from "../estimator";
import { claudeCodePolicy } from "../policy";

/**
 * Claude Code's policy against the reported rule, written out over a list of items from the description alone
 * (systems/claude-code.md §4): the program's source is closed, so this checks how the rule was put into numbers, not whether it
 * is the program's. Everything is compared to the token.
 */
export function crossCheck(source: RecordingSource): readonly CrossCheckRun[] {
  const recording = loadRecording(source, claudeCodeEstimator);
  const items = sumOf(recording.tokens) - recording.overhead;
  /** A window whose threshold leaves room for a share of the items beside the overhead. */
  const small = (share: number, reserved: Tokens) => recording.overhead + Math.ceil(items * share) + 20 + reserved;
  const choices = PRESETS.flatMap(({ preset, buffer }): ListedChoice[] => {
    const quarter = { preset, window: small(0.25, 20_000 + buffer), given: { reattachedTokens: 30 } };
    return [
      { preset, label: "defaults", window: 200_000, given: {} },
      { ...quarter, label: "a quarter" },
      { ...quarter, label: "a quarter, sizes calibrated", calibrated: true },
      { ...quarter, label: "a quarter, 8,000 reserved for output", given: { maxOutputTokens: 8000 } },
      { ...quarter, label: "a quarter, more reserved than counts", given: { maxOutputTokens: 64_000 } },
      { ...quarter, label: "a quarter, no buffer", given: { autoBuffer: 0, reattachedTokens: 0 } },
      { ...quarter, label: "an override of 37 per cent", given: { pctOverride: 37 } },
      { ...quarter, label: "an override above the default", given: { pctOverride: 100 } },
      { ...quarter, label: "failing summaries", given: { failSummary: "always" } },
      { ...quarter, label: "the second summary fails", given: { failSummary: "2" } },
      { preset, label: "a window below what is reserved", window: 30_000, given: { reattachedTokens: 0 } },
    ];
  });
  return listedRuns(recording, claudeCodePolicy, choices, reportedRule);
}

/** window − 33,000 and window − 45,000, 20,000 of it the output's. Source: interfaces.md, row `claude-code`. */
const PRESETS = [
  { preset: "reported", buffer: 13_000 },
  { preset: "reported-2025", buffer: 25_000 },
] as const;

/** A run's rule: it counts its summary calls. */
function reportedRule(): ListedRule {
  let calls = 0;
  return (list, settings, window) => {
    const effective = window - Math.min(Number(settings.maxOutputTokens), 20_000);
    const byDefault = effective - Number(settings.autoBuffer);
    const percent = settings.pctOverride;
    const overridden = percent === null ? byDefault : Math.floor((effective * Number(percent)) / 100);
    if (usageOf(list) < Math.min(byDefault, overridden)) return undefined;
    calls += 1;
    const summaryCallTokens = list.size;
    if (settings.failSummary === "always" || settings.failSummary === String(calls)) {
      return { outcome: "failed", summaryTokens: 0, summaryCallTokens };
    }
    const summaryTokens = Number(settings.summaryTokens);
    list.items = [addedItem(summaryTokens, list.request), addedItem(Number(settings.reattachedTokens), list.request)];
    return { outcome: "summary", summaryTokens, summaryCallTokens };
  };
}

/** What the last response reported, and what came after it; before the first one an estimate of everything. */
function usageOf({ lastInput, lastOutput, added, size }: ItemList): Tokens {
  return lastInput === 0 ? size : lastInput + lastOutput + added;
}
