import type { WrittenFile } from "@/lib/agents/shared/profile";
import type { Tokens } from "@/lib/core/base/units";
import { numberSpec, summarySettings } from "@/lib/core/compaction/policy/common-settings";
import type { PolicyContext } from "@/lib/core/compaction/policy/policy";
import type { InAgent, SettingSource, SettingSpec } from "@/lib/core/compaction/policy/settings";
import { inJsonFile } from "@/lib/core/compaction/policy/stored-setting";
import { KEEP_RECENT_TOKENS, RESERVE_TOKENS } from "./constants";

/** Rule sets of this agent; the first is the default. Source: README.md, "Rules". */
export const PI_PRESETS = ["current", "v0.51.0"] as const;
export type PiPreset = (typeof PI_PRESETS)[number];

/** The preset with a name; the default if the name is unknown. */
export function piPreset(name: string): PiPreset {
  return PI_PRESETS.find((preset) => preset === name) ?? PI_PRESETS[0];
}

/** First release that compacts between a tool's result and the next response, and its date. */
const MID_RUN_FROM = [0, 84, 4] as const;
const MID_RUN_SINCE = Date.parse("2026-08-28T00:00:00.000Z");

/** Format of the files that every release since 0.35.0 (2026-01-05) writes; it migrates older files when it opens them. */
const FORMAT_SINCE_2026 = 3;

/**
 * Preset for a recording of a version. The most important difference is that `current` also compacts within a run, which came with 0.84.4.
 * Session files do not name their version, but an older format, or an end before that release, shows an earlier one; otherwise the default is
 * taken. Source: CHANGELOG of @earendil-works/pi-coding-agent 1.5.2, 0.31.0, 0.35.0, and 0.84.4 of 2026-08-28.
 */
export function presetFor(version: string | undefined, file?: WrittenFile): PiPreset {
  const parts = /^(\d+)\.(\d+)\.(\d+)/
    .exec(version ?? "")
    ?.slice(1)
    .map(Number);
  if (parts === undefined) return file !== undefined && isOfEarlierRelease(file) ? "v0.51.0" : "current";
  const difference = parts.map((part, index) => part - (MID_RUN_FROM[index] ?? 0)).find((delta) => delta !== 0) ?? 0;
  return difference < 0 ? "v0.51.0" : "current";
}

function isOfEarlierRelease({ formatVersion, endedAt }: WrittenFile): boolean {
  if (formatVersion !== null && formatVersion < FORMAT_SINCE_2026) return true;
  return endedAt !== null && Date.parse(endedAt) < MID_RUN_SINCE;
}

const RELEASES: SettingSource = {
  kind: "code",
  text: "@mariozechner/pi-coding-agent 0.51.0, @earendil-works/pi-coding-agent 1.5.2, core/compaction",
};

/** A key of pi's settings file, the same in both releases. */
function inSettings(key: string): InAgent {
  return inJsonFile("~/.pi/agent/settings.json", ["compaction", key], {
    kind: "code",
    text: `@earendil-works/pi-coding-agent 1.5.2, compaction.${key}`,
  });
}

/** Settings of the policy, which are the same in both releases. */
export function piSettings(_preset: string, context: PolicyContext): readonly SettingSpec[] {
  const tokens = (key: string, label: string, byDefault: Tokens): SettingSpec =>
    numberSpec(key, label, "tokens", [0, Math.max(context.window, byDefault), 128], byDefault, RELEASES);
  return [
    { ...tokens("reserveTokens", "Reserve", RESERVE_TOKENS), inAgent: inSettings("reserveTokens"), decidesWhen: true },
    { ...tokens("keepRecentTokens", "Keep recent", KEEP_RECENT_TOKENS), inAgent: inSettings("keepRecentTokens") },
    ...summarySettings(context, context.agent !== "pi"),
  ];
}
