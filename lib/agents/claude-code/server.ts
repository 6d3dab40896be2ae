import type { ServerProfile } from "@/lib/agents/shared/server-profile";
import { withStandIns } from "@/lib/agents/shared/stand-ins";
import { MISSING_RESULT } from "./base/constants";
import { claudeCodeReader } from "./read/reader";

export const server: ServerProfile = {
  reader: claudeCodeReader,
  estimators: {
    "claude-code": { presets: [], load: async () => (await import("./estimator")).claudeCodeEstimator },
  },
  settingsFiles: async () => (await import("./policy/settings-files")).SETTINGS_FILES,
  // The menu is reported in the issue; no document of the vendor that names the command was found.
  serverOff: { text: "/mcp disable <server>", source: { kind: "report", text: "anthropics/claude-code#10447" } },
  sentTexts: async () => () => ({ paired: (messages) => withStandIns(messages, MISSING_RESULT) }),
  measures: async () => (await import("./file-sizes")).claudeCodeMeasures,
};
