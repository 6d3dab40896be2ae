import type { SettingsFiles } from "@/lib/agents/shared/server-profile";
import { profile } from "..";

/** Gemini CLI's settings files. Source: geminicli.com/docs/reference/configuration, "Settings files". */
export const SETTINGS_FILES: SettingsFiles = {
  places: profile.places,
  sessions: ["tmp"],
  managed: {
    linux: "/etc/gemini-cli/settings.json",
    darwin: "/Library/Application Support/GeminiCli/settings.json",
    win32: "C:\\ProgramData\\gemini-cli\\settings.json",
  },
  project: [".gemini/settings.json"],
  user: ["settings.json"],
  defaults: {
    linux: "/etc/gemini-cli/system-defaults.json",
    darwin: "/Library/Application Support/GeminiCli/system-defaults.json",
    win32: "C:\\ProgramData\\gemini-cli\\system-defaults.json",
  },
  others: [],
};
