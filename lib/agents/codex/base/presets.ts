import type { Tokens } from "@/lib/core/base/units";
import { numberSpec, summarySettings } from "@/lib/core/compaction/policy/common-settings";
import type { PolicyContext } from "@/lib/core/compaction/policy/policy";
import type { InAgent, SettingSource, SettingSpec } from "@/lib/core/compaction/policy/settings";
import { inTomlFile } from "@/lib/core/compaction/policy/stored-setting";
import { nineTenths } from "./constants";

/** Rule sets of this agent; the first is the default. Source: README.md, "Presets". */
export const CODEX_PRESETS = ["as-documented", "release-2026-01", "current"] as const;
export type CodexPreset = (typeof CODEX_PRESETS)[number];

/** The preset with a name; the default if the name is unknown. */
export function codexPreset(name: string): CodexPreset {
  return CODEX_PRESETS.find((preset) => preset === name) ?? CODEX_PRESETS[0];
}

/** For rules that Codex's published description omits, the preset of the release that the description covers. */
export function undocumentedRules(preset: CodexPreset): CodexPreset {
  return preset === "as-documented" ? "release-2026-01" : preset;
}

/**
 * The preset for a recording of a version. The decisive changes of `current` (items after the response count as usage, no initial context before
 * a turn, images) came between 9 and 21 February 2026; in the recordings seen, version 0.104 is of 23 February. A recording without a version is
 * older than that. Source: README.md, "Presets".
 */
export function presetFor(version: string | undefined): CodexPreset {
  const [, major, minor] = /^(\d+)\.(\d+)\./.exec(version ?? "") ?? [];
  if (major === undefined || minor === undefined) return "release-2026-01";
  return Number(major) > 0 || Number(minor) >= 104 ? "current" : "release-2026-01";
}

const RELEASE = (file: string): SettingSource => ({
  kind: "code",
  text: `openai/codex 31d1e4934 (2026-01-30), ${file}`,
});
const CURRENT = (file: string): SettingSource => ({ kind: "code", text: `openai/codex main (2026-08-12), ${file}` });

const DOCUMENTED_LIMIT: SettingSource = { kind: "document", text: "4.6", notes: ["noModelNoLimit"] };

/** Settings of a preset, with their defaults and the defaults' sources. */
export function codexSettings(preset: string, context: PolicyContext): readonly SettingSpec[] {
  const current = preset === "current";
  const source = (file: string) => (current ? CURRENT(file) : RELEASE(file));
  const tokens = (key: string, label: string, max: Tokens, byDefault: Tokens, from: SettingSource) =>
    numberSpec(key, label, "tokens", [0, Math.max(max, byDefault), 100], byDefault, from);
  const modelTable = { ...source("truncation_policy"), notes: ["modelTable"] };
  const limitSource: SettingSource = {
    ...RELEASE("auto_compact_token_limit"),
    notes: ["nineTenths"],
    values: { window: context.window.toLocaleString("en") },
  };
  const limit = tokens("autoCompactLimit", "Compact at", context.window, nineTenths(context.window), limitSource);
  return [
    {
      // The document gives a model without a known window no limit: `unwrap_or(i64::MAX)`. The releases have a window for every model.
      ...(preset === "as-documented" && context.isDefaultWindow === true
        ? { ...limit, type: "optional-number", unit: "tokens", default: null, source: DOCUMENTED_LIMIT }
        : limit),
      inAgent: inConfig("model_auto_compact_token_limit", preset),
      decidesWhen: true,
    },
    ...(current ? [scopeSetting()] : []),
    {
      ...tokens("userMessageTokens", "Keep user messages", 200_000, 20_000, source("core/src/compact.rs")),
      inAgent: null,
      ...(current ? { needs: { key: "remote", is: false } } : {}),
    },
    {
      ...tokens("toolOutputTokens", "Limit of a tool output", 200_000, 10_000, modelTable),
      inAgent: inConfig("tool_output_token_limit", preset),
    },
    ...(current ? remoteSettings() : []),
    // Codex's own files also hold outputs from before the limit was applied.
    ...summarySettings(context, true),
  ];
}

/** A key of Codex's configuration file, as both releases read it. */
function inConfig(key: string, preset: string, value = "<value>"): InAgent {
  const source = preset === "current" ? CURRENT(key) : RELEASE(key);
  return inTomlFile("~/.codex/config.toml", key, { kind: "code", text: source.text ?? key }, value);
}

function scopeSetting(): SettingSpec {
  return {
    key: "limitScope",
    label: "Limit applies to",
    type: "choice",
    choices: ["whole", "body_after_prefix"],
    default: "whole",
    inAgent: inConfig("model_auto_compact_token_limit_scope", "current", '"body_after_prefix"'),
    decidesWhen: true,
    source: { ...CURRENT("model_auto_compact_token_limit_scope"), notes: ["afterPrefix"], values: { share: "95" } },
  };
}

function remoteSettings(): readonly SettingSpec[] {
  const source = CURRENT("core/src/compact_remote_v2.rs");
  return [
    { key: "remote", label: "Compact on the server", type: "boolean", default: true, source },
    {
      ...numberSpec("retainedTokens", "Keep messages, on the server", "tokens", [0, 500_000, 500], 64_000, source),
      needs: { key: "remote", is: true },
    },
  ];
}
