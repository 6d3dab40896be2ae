import { numberSpec, summarySettings } from "@/lib/core/compaction/policy/common-settings";
import type { PolicyContext } from "@/lib/core/compaction/policy/policy";
import type { InAgent, SettingSource, SettingSpec, Source } from "@/lib/core/compaction/policy/settings";
import { inJsonFile } from "@/lib/core/compaction/policy/stored-setting";
import {
  AUTO_BUFFER,
  AUTO_SHARE,
  CLEAR_ABOVE_CHARS,
  CLEAR_IDLE_MINUTES,
  COMPACT_SHARE,
  CURRENT,
  DOCUMENT,
  KEPT_RESULTS,
  MAX_FAILURES,
  PRESERVE_SHARE,
  RELEASE,
  RESTORED_FILES,
  RESTORED_IMAGES,
  SCREENSHOT_TRIGGER,
  SUMMARY_RESERVE,
} from "./constants";

/** Rule sets of this agent; the first is the default. Source: README.md, "Presets". */
export const QWEN_CODE_PRESETS = ["as-documented", "current"] as const;
export type QwenCodePreset = (typeof QWEN_CODE_PRESETS)[number];

/** The preset with a name; the default if the name is unknown. */
export function qwenCodePreset(name: string): QwenCodePreset {
  return QWEN_CODE_PRESETS.find((preset) => preset === name) ?? QWEN_CODE_PRESETS[0];
}

/** First minor version of 0.x whose package no longer holds the names of the split rule. */
const REDESIGNED_FROM = 21;

/**
 * Preset for a recording of a version. Packages up to 0.15.10 hold the split rule, and those from 0.21.2 on do not. The versions between were not
 * examined, so the older rule is assumed for them, and also without a version.
 */
export function presetFor(version: string | undefined): QwenCodePreset {
  const [, major, minor] = /^v?(\d+)\.(\d+)\./.exec(version ?? "") ?? [];
  if (major === undefined || minor === undefined) return "as-documented";
  return Number(major) > 0 || Number(minor) >= REDESIGNED_FROM ? "current" : "as-documented";
}

/** The settings of a preset. */
export function qwenCodeSettings(preset: string, context: PolicyContext): readonly SettingSpec[] {
  const own = qwenCodePreset(preset) === "current" ? currentSettings(context) : documentedSettings();
  return [...own, ...summarySettings(context, context.agent !== "qwen-code")];
}

function documentedSettings(): readonly SettingSpec[] {
  const file = "services/chatCompressionService";
  return [
    {
      ...share("threshold", "Compact at", COMPACT_SHARE, {
        ...DOCUMENT("§7"),
        notes: ["shareOfWindow"],
        values: { share: "70" },
      }),
      inAgent: inSettings(
        ["model", ...CHAT_COMPRESSION],
        RELEASE("model.chatCompression.contextPercentageThreshold"),
        CHAT_COMPRESSION,
      ),
      decidesWhen: true,
    },
    {
      ...share("preserve", "Share of the JSON kept", PRESERVE_SHARE, RELEASE(file)),
      min: 0.01,
      max: 0.99,
      shareOf: "history",
    },
    {
      key: "usageField",
      label: "Usage compared",
      type: "choice",
      choices: ["prompt", "total"],
      default: "prompt",
      decidesWhen: true,
      source: { ...DOCUMENT("B, promptTokenCount"), notes: ["totalStored"], values: { version: "0.12.0" } },
    },
    {
      ...numberSpec(
        "sessionTokenLimit",
        "Refuse requests above, -1 for never",
        "tokens",
        [-1, 2_000_000, 1000],
        -1,
        RELEASE("core/client, sessionTokenLimit"),
      ),
      inAgent: inSettings(["model", "sessionTokenLimit"], RELEASE("model.sessionTokenLimit")),
      special: { value: -1, means: "unlimited" },
      decidesWhen: true,
    },
  ];
}

function currentSettings({ window }: PolicyContext): readonly SettingSpec[] {
  const service = CURRENT("services/chatCompressionService");
  const autoThreshold = CURRENT("context.autoCompactThreshold");
  const clearing = CURRENT("services/microcompaction");
  const tuning = (name: string) => CURRENT(`services/compactionInputSlimming, ${name}`);
  return [
    {
      ...share("threshold", "Compact at", AUTO_SHARE, service),
      inAgent: inSettings(["context", "autoCompactThreshold"], autoThreshold),
    },
    {
      ...numberSpec(
        "summaryReserve",
        "Reserved for the summary",
        "tokens",
        [0, room(window, SUMMARY_RESERVE), 500],
        SUMMARY_RESERVE,
        service,
      ),
      inAgent: { through: "threshold", source: autoThreshold },
    },
    {
      ...numberSpec(
        "autoBuffer",
        "Autocompact buffer",
        "tokens",
        [0, room(window, AUTO_BUFFER), 500],
        AUTO_BUFFER,
        service,
      ),
      inAgent: { through: "threshold", source: autoThreshold },
    },
    numberSpec("maxFailures", "Maximum failures", "count", [1, 20, 1], MAX_FAILURES, service),
    {
      ...numberSpec(
        "clearIdleMinutes",
        "Clear tool results after a pause",
        "minutes",
        [-1, 1440, 1],
        CLEAR_IDLE_MINUTES,
        clearing,
      ),
      special: { value: -1, means: "never" },
    },
    {
      ...numberSpec(
        "clearAboveChars",
        "Clear tool results above",
        "chars",
        [-1, 5_000_000, 1000],
        CLEAR_ABOVE_CHARS,
        clearing,
      ),
      special: { value: -1, means: "never" },
    },
    numberSpec("keepToolResults", "Keep tool results", "results", [1, 100, 1], KEPT_RESULTS, clearing),
    numberSpec("restoreFiles", "Files restored", "files", [0, 20, 1], RESTORED_FILES, tuning("maxRecentFilesToRetain")),
    numberSpec(
      "restoreImages",
      "Put pictures back",
      "images",
      [0, 20, 1],
      RESTORED_IMAGES,
      tuning("maxRecentImagesToRetain"),
    ),
    {
      ...numberSpec(
        "imageTrigger",
        "Compact at so many pictures of tools",
        "images",
        [0, 200, 1],
        SCREENSHOT_TRIGGER,
        tuning("screenshotTriggerThreshold"),
      ),
      special: { value: 0, means: "never" },
    },
  ];
}

/** Key of the threshold; older settings files hold it at the top level. */
const CHAT_COMPRESSION = ["chatCompression", "contextPercentageThreshold"] as const;

/** A key of Qwen Code's settings file. */
function inSettings(path: readonly string[], source: Source, ...older: readonly (readonly string[])[]): InAgent {
  return inJsonFile("~/.qwen/settings.json", path, source, older);
}

function room(window: number, byDefault: number): number {
  return Math.max(window, byDefault);
}

function share(key: string, label: string, byDefault: number, source: SettingSource) {
  return numberSpec(key, label, "share", [0, 1, 0.01], byDefault, source);
}
