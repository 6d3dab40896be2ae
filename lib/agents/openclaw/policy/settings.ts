import type { Chars, Tokens } from "@/lib/core/base/units";
import {
  entryTruncationSetting,
  failSummarySetting,
  summaryTokensSetting,
} from "@/lib/core/compaction/common-settings";
import type { PolicyContext } from "@/lib/core/compaction/policy";
import type { SettingSource, SettingSpec } from "@/lib/core/compaction/settings";
import {
  HARD_CLEAR_SHARE,
  KEEP_LAST_ASSISTANTS,
  KEEP_RECENT_TOKENS,
  liveResultChars,
  MAX_HISTORY_SHARE,
  MEMORY_FLUSH_TOKENS,
  MIN_PRUNABLE_CHARS,
  PRUNING_TTL_MINUTES,
  RESERVE_TOKENS,
  RESERVE_TOKENS_FLOOR,
  SOFT_TRIM_CHARS,
  SOFT_TRIM_HEAD_CHARS,
  SOFT_TRIM_SHARE,
  SOFT_TRIM_TAIL_CHARS,
} from "../constants";
import { openClawPreset } from "../presets";

const release = (preset: string, file: string, ...notes: readonly string[]): SettingSource => ({
  kind: "code",
  notes,
  text:
    openClawPreset(preset) === "current"
      ? `openclaw@2026.9.6, ${file}`
      : `openclaw@2026.2.1 + pi-coding-agent@0.51.0, ${file}`,
});

/** Settings of a preset, with their defaults and the defaults' sources. */
export function openClawSettings(preset: string, context: PolicyContext): readonly SettingSpec[] {
  const { window } = context;
  const tokens = (key: string, label: string, byDefault: Tokens, file: string): SettingSpec => ({
    key,
    label,
    type: "number",
    unit: "tokens",
    min: 0,
    max: Math.max(window, byDefault),
    step: 100,
    default: byDefault,
    source: release(preset, file),
  });
  return [
    tokens("reserveTokens", "Reserve", RESERVE_TOKENS, "compaction.reserveTokens"),
    tokens(
      "reserveTokensFloor",
      "Least reserve",
      RESERVE_TOKENS_FLOOR,
      "agents.defaults.compaction.reserveTokensFloor",
    ),
    tokens("keepRecentTokens", "Keep recent", KEEP_RECENT_TOKENS, "compaction.keepRecentTokens"),
    {
      key: "maxHistoryShare",
      label: "History that is summarised, share of the window",
      type: "number",
      unit: "share",
      min: 0.1,
      max: 0.9,
      step: 0.05,
      default: MAX_HISTORY_SHARE,
      source: release(preset, "agents.defaults.compaction.maxHistoryShare"),
    },
    {
      key: "historyTurns",
      label: "Turns of a direct chat that are sent, 0 for all",
      type: "number",
      unit: "turns",
      min: 0,
      max: 1000,
      step: 1,
      default: 0,
      special: { value: 0, means: "all" },
      source: release(preset, "dmHistoryLimit"),
    },
    tokens("memoryFlushTokens", "Write memories this far below the threshold", MEMORY_FLUSH_TOKENS, "memoryFlush"),
    {
      key: "pruning",
      label: "Prune old tool results",
      type: "choice",
      choices: ["off", "cache-ttl"],
      default: "off",
      source: release(preset, "contextPruning.mode", "onForAnthropic"),
    },
    {
      key: "pruningTtlMinutes",
      label: "Prune after idle time",
      type: "number",
      unit: "minutes",
      min: 0,
      max: 1440,
      step: 5,
      default: PRUNING_TTL_MINUTES,
      source: release(preset, "contextPruning.ttl", "defaultsOfConfiguration"),
      needs: PRUNES,
    },
    ...pruningSettings(preset).map((spec): SettingSpec => ({ ...spec, needs: PRUNES })),
    ...(openClawPreset(preset) === "current" ? [resultLimit(context)] : []),
    summaryTokensSetting(context),
    failSummarySetting(),
    entryTruncationSetting(context.agent !== "openclaw"),
  ];
}

/** The setting that the settings of pruning need. */
const PRUNES = { key: "pruning", is: "cache-ttl" } as const;

/** The further settings of pruning. */
function pruningSettings(preset: string): readonly SettingSpec[] {
  const from = (name: string) => release(preset, `contextPruning.${name}`);
  const share = (key: string, label: string, byDefault: number, name: string): SettingSpec => ({
    ...{ key, label, type: "number", unit: "share", min: 0, max: 1, step: 0.05, default: byDefault },
    source: from(name),
  });
  return [
    share("pruningTrimShare", "Trim results from this share of the window on", SOFT_TRIM_SHARE, "softTrimRatio"),
    share("pruningClearShare", "Clear results from this share on", HARD_CLEAR_SHARE, "hardClearRatio"),
    ...trimSettings(preset),
    {
      ...{ key: "pruningMinChars", label: "Clear only where old results come to", type: "number", unit: "chars" },
      ...{ min: 0, max: 1_000_000, step: 1000, default: MIN_PRUNABLE_CHARS },
      source: from("minPrunableToolChars"),
    },
    {
      ...{ key: "pruningKeepResponses", label: "Responses behind which nothing is pruned", type: "number" },
      ...{ unit: "messages", min: 0, max: 100, step: 1, default: KEEP_LAST_ASSISTANTS },
      source: from("keepLastAssistants"),
    },
  ];
}

/**
 * What trimming leaves of a result. In 2026.9.6 head and tail are measured on the text, so the only setting is the size from which on a result is
 * trimmed, and it must be above what head, tail and their note take.
 */
function trimSettings(preset: string): readonly SettingSpec[] {
  const current = openClawPreset(preset) === "current";
  const chars = (key: string, label: string, min: number, byDefault: number, name: string): SettingSpec => ({
    ...{ key, label, type: "number", unit: "chars", min, max: 200_000, step: 100, default: byDefault },
    source: release(preset, `contextPruning.softTrim.${name}`),
  });
  const above = (min: number) => chars("pruningTrimAbove", "Trim results above", min, SOFT_TRIM_CHARS, "maxChars");
  if (current) return [above(LEAST_TRIMMED)];
  return [
    above(0),
    chars("pruningHeadChars", "Kept of the start of a trimmed result", 0, SOFT_TRIM_HEAD_CHARS, "headChars"),
    chars("pruningTailChars", "Kept of its end", 0, SOFT_TRIM_TAIL_CHARS, "tailChars"),
  ];
}

/** Head and tail of a trimmed result, and room for the note after them. */
const LEAST_TRIMMED: Chars = SOFT_TRIM_HEAD_CHARS + SOFT_TRIM_TAIL_CHARS + 500;

/** 2026.9.6 limits every result that is sent; the older release left that to the tools. */
function resultLimit({ window }: PolicyContext): SettingSpec {
  return {
    key: "toolResultChars",
    label: "Limit of a tool result",
    type: "number",
    unit: "chars",
    min: 0,
    max: 400_000,
    step: 500,
    default: liveResultChars(window),
    source: release("current", "tool-result-limits", "byTheWindow"),
  };
}
