import type { Tokens } from "@/lib/core/base/units";
import {
  entryTruncationSetting,
  failSummarySetting,
  summaryTokensSetting,
} from "@/lib/core/compaction/policy/common-settings";
import type { PauseDefaults, PolicyContext } from "@/lib/core/compaction/policy/policy";
import {
  OF_MODEL,
  type SettingSource,
  type SettingSpec,
  type Source,
  type StoredSetting,
} from "@/lib/core/compaction/policy/settings";
import { inVariable } from "@/lib/core/compaction/policy/stored-setting";
import {
  AUTO_BUFFER,
  AUTO_BUFFER_2025,
  effectiveWindow,
  MAX_OUTPUT_RESERVE,
  REPORT,
  REPORT_2025,
  REPORT_2026,
  TRIGGER_REPORT_2026,
} from "./threshold";

const REATTACHED: SettingSource = {
  kind: "document",
  text: "code.claude.com/docs/en/context-window",
  notes: ["reattached"],
  values: { files: "5", most: "5,000", unknown: "6,000" },
};

const OBSERVED_REST: SettingSource = {
  kind: "report",
  notes: ["reattachedRest"],
  values: { events: "23", median: "9,700", rest: "3,700", date: "2026-11" },
};

const CLEARING: SettingSource = {
  kind: "report",
  notes: ["clearedAfterPause"],
  values: { minutes: "60", results: "5", versions: "2.1.12–2.1.22" },
};

const PCT_OVERRIDE = { kind: "document", text: "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE" } as const;

const OUTPUT_TOKENS: Source = { kind: "document", text: "CLAUDE_CODE_MAX_OUTPUT_TOKENS" };

const AUTOCOMPACT_VARIABLE: Source = { kind: "report", text: "CLAUDE_CODE_AUTO_COMPACT_WINDOW" };

/** The command stores `autoCompactWindow`; releases since August 2026 have it. */
const AUTOCOMPACT_COMMAND: Source = { kind: "report", text: "anthropics/claude-code#71254" };

/** A model's own entry overrides the one for all models; `"auto"` is the model's window. Source: README.md, "Compaction". */
const AUTOCOMPACT_STORED: StoredSetting = {
  paths: [["modelSettings", OF_MODEL, "autoCompactWindow"], ["autoCompactWindow"]],
  variable: AUTOCOMPACT_VARIABLE.text,
  unset: "auto",
  clamps: true,
};

/** Places of the window in settings files, by user reports alone. Source: README.md, "Compaction". */
const WINDOW_2026: SettingSource = {
  kind: "report",
  text: "anthropics/claude-code#71254; Astro-Han/claude-pace v0.9.6",
  notes: ["windowKeys", "mostTheWindow"],
  values: { all: "autoCompactWindow", model: "modelSettings.<model>.autoCompactWindow", versions: "2.1.311+" },
};

/**
 * Size of the unrecorded part of the first request after a compaction: everything but overhead, summary, files, plan and todo list. Measured in
 * November 2026: everything reattached had a median of 9,700 over 23 recorded compactions, and the part given by `reattached` a median of 6,000 over
 * the ten of them that were available.
 */
export const REATTACHED_REST: Tokens = 3700;

/** Smallest and largest value in those ten. */
const OBSERVED_RESTS = [1600, 10_700] as const;

/** Number of newest tool results kept when old ones are cleared after a pause. Source: as `CLEARING`. */
export const KEPT_TOOL_RESULTS = 5;

/** Allowed range of the window that a user sets for auto-compaction. Source: README.md, "Compaction". */
const AUTO_COMPACT_WINDOW = { least: 100_000, most: 1_000_000 } as const;

export const IDLE_REPORTS = "pingdotgg/t3code discussion 14233; Ark0N/Codeman discussion 554";

/**
 * Compaction while idle, as users report it: 54 minutes after the last response, from 200,000 tokens on. It is off by default, because the program
 * does it for some accounts only.
 */
export function claudeCodePauses(preset: string): PauseDefaults | undefined {
  if (preset !== "2026-11") return undefined;
  const source: Source = { kind: "report", text: IDLE_REPORTS };
  return {
    idleMinutes: 0,
    idleTokens: IDLE_FLOOR,
    source: {
      ...source,
      notes: ["idleReported"],
      values: { minutes: `${IDLE_MINUTES}`, tokens: "200,000", versions: "2.1.286+", key: "idleCompaction" },
    },
    inAgent: {
      idleMinutes: { text: '"idleCompaction": true', only: IDLE_MINUTES, file: "~/.claude/settings.json", source },
      idleTokens: { text: "CLAUDE_CODE_IDLE_COMPACT_MIN_TOKENS=<value>", source },
    },
  };
}

/** Minutes after the last response, which no setting changes. Source: as `IDLE_REPORTS`. */
export const IDLE_MINUTES = 54;

/** Smallest context that is compacted while idle. Source: as `IDLE_REPORTS`. */
export const IDLE_FLOOR: Tokens = 200_000;

/** Settings of a preset, with their defaults and the defaults' sources. */
export function claudeCodeSettings(preset: string, context: PolicyContext): readonly SettingSpec[] {
  const of2025 = preset === "reported-2025";
  const of2026 = preset === "2026-11";
  const report = of2026 ? REPORT_2026 : REPORT;
  return [
    {
      ...tokens("autoBuffer", "Autocompact buffer", of2025 ? REPORT_2025 : of2026 ? TRIGGER_REPORT_2026 : report),
      max: Math.max(context.window, AUTO_BUFFER_2025),
      default: of2025 ? AUTO_BUFFER_2025 : AUTO_BUFFER,
      inAgent: { through: "pctOverride", source: PCT_OVERRIDE },
      decidesWhen: true,
    },
    {
      ...tokens("maxOutputTokens", "Reserved for output", report),
      max: 128_000,
      default: MAX_OUTPUT_RESERVE,
      inAgent: inVariable(OUTPUT_TOKENS.text, OUTPUT_TOKENS),
      decidesWhen: true,
    },
    {
      key: "pctOverride",
      label: "Override, per cent of the effective window",
      type: "optional-number",
      unit: "percent",
      min: 1,
      max: 100,
      step: 1,
      default: null,
      source: { ...PCT_OVERRIDE, notes: ["onlyLower"] },
      inAgent: { ...inVariable(PCT_OVERRIDE.text, PCT_OVERRIDE), percentOf: effectiveWindow },
      decidesWhen: true,
    },
    {
      key: "autoCompactWindow",
      label: "Window of auto-compaction",
      type: "optional-number",
      unit: "tokens",
      min: AUTO_COMPACT_WINDOW.least,
      max: AUTO_COMPACT_WINDOW.most,
      step: 1000,
      default: null,
      source: of2026
        ? WINDOW_2026
        : { kind: "report", text: "CLAUDE_CODE_AUTO_COMPACT_WINDOW", notes: ["mostTheWindow"] },
      inAgent: {
        ...(of2025
          ? { text: `${AUTOCOMPACT_VARIABLE.text}=<value>`, source: AUTOCOMPACT_VARIABLE }
          : { text: "/autocompact <thousands>k", source: AUTOCOMPACT_COMMAND }),
        stored: AUTOCOMPACT_STORED,
      },
      decidesWhen: true,
    },
    {
      key: "reattachedTokens",
      label: "Re-attached context",
      type: "optional-number",
      unit: "tokens",
      min: 0,
      max: 1_000_000,
      step: 500,
      default: null,
      source: REATTACHED,
    },
    {
      ...tokens("reattachedRest", "Other re-attached context", OBSERVED_REST),
      max: 50_000,
      default: REATTACHED_REST,
      observed: OBSERVED_RESTS,
      observedElsewhere: true,
      needs: { key: "reattachedTokens", is: null },
    },
    {
      ...whole("clearIdleMinutes", "Clear results after a pause, 0 for never", 0, 1440, 0),
      unit: "minutes",
      special: { value: 0, means: "never" },
    },
    {
      ...whole("keepToolResults", "Results that stay then", 1, 100, KEPT_TOOL_RESULTS),
      unit: "results",
      needs: { key: "clearIdleMinutes", above: 0 },
    },
    summaryTokensSetting(context),
    failSummarySetting(),
    {
      ...entryTruncationSetting(false),
      source: { kind: "ours", notes: ["noLimitPublished"] },
    },
  ];
}

function tokens(key: string, label: string, source: SettingSource) {
  return { key, label, source, type: "number", unit: "tokens", min: 0, step: 500 } as const;
}

function whole(key: string, label: string, min: number, max: number, byDefault: number) {
  return { key, label, source: CLEARING, type: "number", min, max, step: 1, default: byDefault } as const;
}
