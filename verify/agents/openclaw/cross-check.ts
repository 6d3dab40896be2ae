import { renamedRecord } from "@/lib/agents/entry-tree/native";
import { OPENCLAW_PRESETS, type OpenClawPreset } from "@/lib/agents/openclaw/base/presets";
import { openClawEstimatorOf, openClawMeasures } from "@/lib/agents/openclaw/estimator";
import { openClawPolicy } from "@/lib/agents/openclaw/policy/policy";
import { DEFAULT_PRUNING } from "@/lib/agents/openclaw/sent/pruning-settings";
import { sumOf } from "@/lib/core/base/numbers";
import type { Tokens } from "@/lib/core/base/units";
import type { Settings } from "@/lib/core/compaction/policy/settings";
import { type CheckedAgent, crossCheckOf, wideBounds } from "@/verify/support/checked-agent";
import { compareChanges } from "@/verify/support/compared-changes";
import { entriesBetween } from "@/verify/support/entries-between";
import type { LoadedRecording } from "@/verify/support/loaded-recording";
import type { Variant } from "@/verify/support/variant";
import { ExactRun } from "./exact-run";
import { placedSteps } from "./placed-session";

/**
 * Compares OpenClaw's two layers over one recording of any agent: the policy over numbers, run by the engine, and the exact rules over the entries
 * that the recording becomes. Both must agree to the token on which requests change the history and how, on every kept row, on pruned results, on the
 * context at every request, and for 2026.2.1 on the tokens sent for summaries.
 *
 * One difference follows from the construction: OpenClaw keeps a result that came late until it loads the session again, but the engine allows no
 * result without its call. The exact side drops such results at once, only by that rule.
 */
export const checked: CheckedAgent<OpenClawPreset> = {
  policy: openClawPolicy,
  presets: OPENCLAW_PRESETS,
  estimatorOf: openClawEstimatorOf,
  measures: openClawMeasures,
  variants: variantsOf,
  summaryTokens: 40,
  boundsOf: wideBounds,
  exactSide: (recording, preset) => {
    const steps = placedSteps(recording, entriesBetween(recording, "openclaw", renamedRecord));
    return async (run) => {
      const settings = exactSettings(run.settings, preset, run.window);
      compareChanges(run, await new ExactRun(recording, steps, settings, run.numbers, run.comparison).run());
    };
  },
};

export const crossCheck = crossCheckOf(checked);

/** The smallest windows that are not refused. */
const MIN_WINDOW: Readonly<Record<OpenClawPreset, Tokens>> = {
  "as-documented": 16_000,
  "release-2026-02": 16_000,
  "release-2026-05": 4_000,
  current: 4_000,
};

/** Maximum share of a window that a release may reserve. */
const MAX_RESERVED: Readonly<Partial<Record<OpenClawPreset, number>>> = { "release-2026-05": 0.5, current: 0.1 };

function variantsOf({ tokens, overhead }: LoadedRecording, preset: OpenClawPreset): readonly Variant[] {
  const messages = sumOf(tokens) - overhead;
  const unlimited = preset === "current" ? { toolResultChars: 400_000 } : {};
  const withoutFlush = { memoryFlushTokens: 100_000_000, reserveTokensFloor: 0, ...unlimited };
  /** Space for the overhead and a part of the messages; the rest of the window is reserve, as far as a release allows. */
  const tight = (label: string, parts: number, share: number, more: Variant["given"] = {}): Variant => {
    const room = Math.max(20, Math.floor(messages / parts));
    const limit = overhead + room;
    const window = Math.max(MIN_WINDOW[preset], Math.ceil(limit / (1 - (MAX_RESERVED[preset] ?? 0))));
    const keepRecentTokens = Math.floor(room * share);
    return { label, window, given: { ...withoutFlush, reserveTokens: window - limit, keepRecentTokens, ...more } };
  };
  return [
    { label: "defaults", window: 200_000, given: unlimited },
    { label: "refused", window: MIN_WINDOW[preset] - 1, given: {} },
    tight("a half, nothing recent", 2, 0),
    tight("a quarter, a tenth recent", 4, 0.1),
    tight("an eighth, two fifths recent", 8, 0.4),
    tight("a quarter, more recent than fits", 4, 2),
    tight("a sixth, memories written down", 6, 0.3, { memoryFlushTokens: Math.floor(messages / 40) }),
    tight("a quarter, two turns", 4, 0.3, { historyTurns: 2 }),
    tight("all, three turns", 0.5, 0.3, { historyTurns: 3 }),
    tight("a sixth, a fifth recent", 6, 0.2),
    tight("a sixth, the second summary fails", 6, 0.2, { failSummary: "2" }),
    tight("a sixth, every summary is empty", 6, 0.3, { failSummary: "empty" }),
    tight("an eighth, every summary fails", 8, 0.3, { failSummary: "always" }),
    tight("a quarter, a small share", 4, 0.5, { maxHistoryShare: 0.1 }),
    tight("a quarter, every summary of a small share fails", 4, 0.5, { failSummary: "always", maxHistoryShare: 0.1 }),
    { label: "defaults, outputs whole", window: 200_000, given: { ...unlimited, entryTruncation: false } },
    ...(preset === "current" ? promptRoutes(tight) : []),
    tight("twice, pruned after a minute", 0.5, 0.3, { pruning: "cache-ttl", pruningTtlMinutes: 1 }),
    tight("twice, results limited, pruned after a minute", 0.5, 0.3, {
      pruning: "cache-ttl",
      pruningTtlMinutes: 1,
      ...(preset === "current" ? { toolResultChars: 6000 } : {}),
    }),
    tight("a third, pruned after a minute", 3, 0.3, { pruning: "cache-ttl", pruningTtlMinutes: 1 }),
    tight("twice, much pruned after a minute", 0.5, 0.3, MUCH_PRUNED),
    ...trims(preset).map((given, at) =>
      tight(`twice, much pruned after a minute, trimmed otherwise (${at + 1})`, 0.5, 0.3, { ...MUCH_PRUNED, ...given }),
    ),
  ];
}

/** Limits for trimmed results: little of a result is kept, only one end is kept, or no result becomes shorter. */
function trims(preset: OpenClawPreset): readonly Variant["given"][] {
  const all = { pruningTrimShare: 0, pruningClearShare: 1 };
  if (preset === "current")
    return [
      { ...all, pruningTrimAbove: 3500 },
      { ...all, pruningTrimAbove: 12_000 },
    ];
  return [
    { ...all, pruningTrimAbove: 300, pruningHeadChars: 40, pruningTailChars: 100 },
    { ...all, pruningTrimAbove: 1000, pruningHeadChars: 0, pruningTailChars: 700 },
    { ...all, pruningTrimAbove: 0, pruningHeadChars: 60, pruningTailChars: 0 },
  ];
}

const MUCH_PRUNED = {
  pruning: "cache-ttl",
  pruningTtlMinutes: 1,
  pruningKeepResponses: 1,
  pruningTrimShare: 0.05,
  pruningClearShare: 0.2,
  pruningMinChars: 4000,
};

/** Windows and limits with which prompts that do not fit take every route. */
function promptRoutes(tight: (label: string, parts: number, share: number, more: Variant["given"]) => Variant) {
  return [
    tight("a third, results limited before a prompt", 3, 0.2, { toolResultChars: 1200, entryTruncation: false }),
    tight("a third, results limited as they enter", 3, 0.2, { toolResultChars: 1200, entryTruncation: true }),
    tight("a half, few chars a result", 2, 0.3, { toolResultChars: 200, entryTruncation: false }),
    tight("nearly all, few chars a result", 1.1, 0.3, { toolResultChars: 200, entryTruncation: false }),
    tight("two thirds, results limited before a prompt", 1.5, 0.1, { toolResultChars: 2500, entryTruncation: false }),
    tight("a quarter, results limited before a prompt, the second summary fails", 4, 0.2, {
      toolResultChars: 4000,
      entryTruncation: false,
      failSummary: "2",
    }),
  ];
}

function exactSettings(settings: Settings, preset: OpenClawPreset, window: Tokens) {
  const number = (key: string) => Number(settings[key]);
  return {
    preset,
    window,
    reserveTokens: number("reserveTokens"),
    reserveTokensFloor: number("reserveTokensFloor"),
    keepRecentTokens: number("keepRecentTokens"),
    maxHistoryShare: number("maxHistoryShare"),
    historyTurns: number("historyTurns"),
    memoryFlushTokens: number("memoryFlushTokens"),
    pruningTtlMinutes: settings.pruning === "cache-ttl" ? number("pruningTtlMinutes") : 0,
    pruning: {
      keepLastAssistants: number("pruningKeepResponses"),
      softTrimRatio: number("pruningTrimShare"),
      hardClearRatio: number("pruningClearShare"),
      minPrunableToolChars: number("pruningMinChars"),
      softTrim: {
        ...DEFAULT_PRUNING.softTrim,
        maxChars: number("pruningTrimAbove"),
        ...(preset === "current"
          ? {}
          : { headChars: number("pruningHeadChars"), tailChars: number("pruningTailChars") }),
      },
    },
    summaryTokens: number("summaryTokens"),
    toolResultChars: preset === "current" ? number("toolResultChars") : undefined,
    entryTruncation: settings.entryTruncation === true,
    isEmpty: settings.failSummary === "empty",
    fails: (call: number) =>
      settings.failSummary === "always" ||
      (settings.failSummary === "empty" && (preset === "current" || preset === "release-2026-05")) ||
      settings.failSummary === String(call + 1),
  };
}
