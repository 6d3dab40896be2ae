import type { SettingsFiles } from "@/lib/agents/shared/server-profile";
import { profile } from "..";

/**
 * Codex' settings files: the file of the closest folder overrides the others, and a project's count only if the user's own file trusts it. Source:
 * developers.openai.com/codex/config-basic, "Configuration precedence".
 */
export const SETTINGS_FILES: SettingsFiles = {
  places: profile.places,
  sessions: ["sessions", "archived_sessions"],
  project: [".codex/config.toml"],
  isSearchedUpwards: true,
  user: ["config.toml"],
  defaults: { linux: "/etc/codex/config.toml", darwin: "/etc/codex/config.toml" },
  trust: { path: (folder) => ["projects", folder, "trust_level"], is: "trusted" },
  others: [["model_context_window"]],
};
