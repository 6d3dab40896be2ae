import type { SettingsFiles } from "@/lib/agents/shared/server-profile";
import { profile } from "..";

/** opencode's settings files. Source: opencode.ai/docs/config, "Locations". */
export const SETTINGS_FILES: SettingsFiles = {
  places: profile.places,
  sessions: [""],
  managed: {
    linux: "/etc/opencode/opencode.json",
    darwin: "/Library/Application Support/opencode/opencode.json",
  },
  project: ["opencode.json", "opencode.jsonc"],
  isSearchedUpwards: true,
  user: ["opencode.json", "opencode.jsonc", "config.json"],
  userRoots: [{ folder: ".config/opencode", variables: [{ name: "XDG_CONFIG_HOME", below: "opencode" }] }],
  others: [["compaction", "auto"]],
};
