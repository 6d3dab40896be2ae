import type { SettingsFiles } from "@/lib/agents/shared/server-profile";
import { claudeCodePlaces } from "../base/places";

/** Switches that turn automatic compaction off: two variables and a setting. Source: README.md, "Compaction". */
export const OFF_SWITCHES = {
  variables: ["DISABLE_AUTO_COMPACT", "DISABLE_COMPACT"],
  setting: ["autoCompactEnabled"],
} as const;

/** Claude Code's settings files. Source: code.claude.com/docs/en/settings. */
export const SETTINGS_FILES: SettingsFiles = {
  places: claudeCodePlaces,
  sessions: ["projects"],
  managed: {
    darwin: "/Library/Application Support/ClaudeCode/managed-settings.json",
    linux: "/etc/claude-code/managed-settings.json",
    win32: "C:\\Program Files\\ClaudeCode\\managed-settings.json",
  },
  project: [".claude/settings.local.json", ".claude/settings.json"],
  user: ["settings.json"],
  variables: ["env"],
  windowKey: "autoCompactWindow",
  others: [
    OFF_SWITCHES.setting,
    ...OFF_SWITCHES.variables.map((name) => ["env", name]),
    ["idleCompaction"],
    ["promptCacheTtl"],
    ["subagentPromptCacheTtl"],
    ["cleanupPeriodDays"],
  ],
};
