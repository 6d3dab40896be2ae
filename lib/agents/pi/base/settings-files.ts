import type { SettingsFiles } from "@/lib/agents/shared/server-profile";
import { profile } from "..";

/** pi's settings files: the project's overrides the user's. Source: README.md, "Settings files". */
export const SETTINGS_FILES: SettingsFiles = {
  places: profile.places,
  sessions: [""],
  project: [".pi/settings.json"],
  user: ["../settings.json"],
  others: [["compaction", "enabled"]],
};
