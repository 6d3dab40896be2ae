import type { SettingsFiles } from "@/lib/agents/shared/server-profile";
import { profile } from "..";

/** Qwen Code's settings files. Source: qwenlm.github.io/qwen-code-docs/en/cli/configuration, "Settings files". */
export const SETTINGS_FILES: SettingsFiles = {
  places: profile.places,
  sessions: ["projects"],
  managed: {
    linux: "/etc/qwen-code/settings.json",
    darwin: "/Library/Application Support/QwenCode/settings.json",
    win32: "C:\\ProgramData\\qwen-code\\settings.json",
  },
  project: [".qwen/settings.json"],
  user: ["settings.json"],
  defaults: {
    linux: "/etc/qwen-code/system-defaults.json",
    darwin: "/Library/Application Support/QwenCode/system-defaults.json",
    win32: "C:\\ProgramData\\qwen-code\\system-defaults.json",
  },
  others: [],
};
