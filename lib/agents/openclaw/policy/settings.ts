import type { Chars, Tokens } from "@/lib/core/base/units";
import { numberSpec, summarySettings } from "@/lib/core/compaction/policy/common-settings";
import type { PolicyContext } from "@/lib/core/compaction/policy/policy";
import type { InAgent, SettingSource, SettingSpec, Source } from "@/lib/core/compaction/policy/settings";
import { inJsonFile } from "@/lib/core/compaction/policy/stored-setting";
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
} from "../base/constants";
import { type OpenClawPreset, openClawPreset } from "../base/presets";

/** The releases whose rules the presets follow. */
const RELEASES: Readonly<Record<OpenClawPreset, string>> = {
  "as-documented": "openclaw@2026.2.1 + pi-coding-agent@0.51.0",
  "release-2026-02": "openclaw@2026.2.1 + pi-coding-agent@0.51.0",
  "release-2026-05": "openclaw@2026.5.7 + pi-coding-agent@0.73.0",
  current: "openclaw@2026.9.6",
};

const release = (preset: string, file: string, ...notes: readonly string[]): SettingSource => ({
  kind: "code",
  notes,
  text: `${RELEASES[openClawPreset(preset)]}, ${file}`,
});

/** Settings of a preset, with their defaults and the defaults' sources. */
export function openClawSettings(preset: string, context: PolicyContext): readonly SettingSpec[] {
  const { window } = context;
  const from = (key: string): Source => ({
    kind: "code",
    text: `${RELEASES[openClawPreset(preset)]}, agents.defaults.${key}`,
  });
  // 2026.9.6 removes these keys from its configuration (RETIRED_AGENT_TUNING_PATHS) and uses the defaults.
  const isRetired = openClawPreset(preset) === "current";
  const inConfig = (key: string): InAgent | null =>
    isRetired
      ? null
      : inJsonFile("~/.openclaw/openclaw.json", ["agents", "defaults", "compaction", key], from(`compaction.${key}`));
  const ttl = release(preset, "contextPruning.ttl", "defaultsOfConfiguration");
  const tokens = (
    key: string,
    label: string,
    byDefault: Tokens,
    file: string,
    ...notes: readonly string[]
  ): SettingSpec =>
    numberSpec(key, label, "tokens", [0, Math.max(window, byDefault), 100], byDefault, release(preset, file, ...notes));
  return [
    {
      ...tokens("reserveTokens", "Reserve", RESERVE_TOKENS, "compaction.reserveTokens"),
      inAgent: isRetired ? null : { through: "reserveTokensFloor", source: from("compaction.reserveTokensFloor") },
    },
    {
      ...tokens(
        "reserveTokensFloor",
        "Least reserve",
        RESERVE_TOKENS_FLOOR,
        "agents.defaults.compaction.reserveTokensFloor",
      ),
      inAgent: inConfig("reserveTokensFloor"),
    },
    tokens("keepRecentTokens", "Keep recent", KEEP_RECENT_TOKENS, "compaction.keepRecentTokens"),
    {
      ...numberSpec(
        "maxHistoryShare",
        "History that is summarised, share of the window",
        "share",
        [0.1, 0.9, 0.05],
        MAX_HISTORY_SHARE,
        release(preset, "agents.defaults.compaction.maxHistoryShare"),
      ),
      inAgent: inConfig("maxHistoryShare"),
    },
    {
      ...numberSpec(
        "historyTurns",
        "Turns of a direct chat that are sent, 0 for all",
        "turns",
        [0, 1000, 1],
        0,
        release(preset, "dmHistoryLimit"),
      ),
      special: { value: 0, means: "all" },
    },
    tokens(
      "memoryFlushTokens",
      "Write memories this far below the threshold",
      MEMORY_FLUSH_TOKENS,
      "memoryFlush",
      ...(context.agent === "openclaw" ? ["turnIsRecorded"] : []),
    ),
    {
      key: "pruning",
      label: "Prune old tool results",
      type: "choice",
      choices: ["off", "cache-ttl"],
      default: "off",
      source: release(preset, "contextPruning.mode", "onForAnthropic"),
    },
    {
      ...numberSpec("pruningTtlMinutes", "Prune after idle time", "minutes", [0, 1440, 5], PRUNING_TTL_MINUTES, ttl),
      needs: PRUNES,
    },
    ...pruningSettings(preset).map((spec): SettingSpec => ({ ...spec, needs: PRUNES })),
    ...(openClawPreset(preset) === "current" ? [resultLimit(context)] : []),
    ...summarySettings(context, context.agent !== "openclaw"),
  ];
}

/** The setting on which the pruning settings depend. */
const PRUNES = { key: "pruning", is: "cache-ttl" } as const;

/** The further settings of pruning. */
function pruningSettings(preset: string): readonly SettingSpec[] {
  const from = (name: string) => release(preset, `contextPruning.${name}`);
  const share = (key: string, label: string, byDefault: number, name: string): SettingSpec =>
    numberSpec(key, label, "share", [0, 1, 0.05], byDefault, from(name));
  return [
    share("pruningTrimShare", "Trim results from this share of the window on", SOFT_TRIM_SHARE, "softTrimRatio"),
    share("pruningClearShare", "Clear results from this share on", HARD_CLEAR_SHARE, "hardClearRatio"),
    ...trimSettings(preset),
    numberSpec(
      "pruningMinChars",
      "Clear only where old results come to",
      "chars",
      [0, 1_000_000, 1000],
      MIN_PRUNABLE_CHARS,
      from("minPrunableToolChars"),
    ),
    numberSpec(
      "pruningKeepResponses",
      "Responses behind which nothing is pruned",
      "messages",
      [0, 100, 1],
      KEEP_LAST_ASSISTANTS,
      from("keepLastAssistants"),
    ),
  ];
}

/**
 * Settings of trimming. In 2026.9.6 head and tail are measured on the text, so the only setting is the minimum size of a trimmed result, which must
 * be above the size of head, tail and their note.
 */
function trimSettings(preset: string): readonly SettingSpec[] {
  const current = openClawPreset(preset) === "current";
  const chars = (key: string, label: string, min: number, byDefault: number, name: string): SettingSpec => {
    const source = release(preset, `contextPruning.softTrim.${name}`);
    return numberSpec(key, label, "chars", [min, 200_000, 100], byDefault, source);
  };
  const above = (min: number) => chars("pruningTrimAbove", "Trim results above", min, SOFT_TRIM_CHARS, "maxChars");
  if (current) return [above(MIN_TRIMMED)];
  return [
    above(0),
    chars("pruningHeadChars", "Kept of the start of a trimmed result", 0, SOFT_TRIM_HEAD_CHARS, "headChars"),
    chars("pruningTailChars", "Kept of its end", 0, SOFT_TRIM_TAIL_CHARS, "tailChars"),
  ];
}

/** Head and tail of a trimmed result, and room for the note after them. */
const MIN_TRIMMED: Chars = SOFT_TRIM_HEAD_CHARS + SOFT_TRIM_TAIL_CHARS + 500;

/** 2026.9.6 limits every result that is sent; in the older release only the tools limit them. */
function resultLimit({ window }: PolicyContext): SettingSpec {
  const source = release("current", "tool-result-limits", "byTheWindow");
  return numberSpec(
    "toolResultChars",
    "Limit of a tool result",
    "chars",
    [0, 400_000, 500],
    liveResultChars(window),
    source,
  );
}
