import type { ServerProfile } from "@/lib/agents/shared/server-profile";
import { opencodeReader } from "./read/reader";

export const server: ServerProfile = {
  reader: opencodeReader,
  database: async () => (await import("./read/database")).opencodeDatabase,
  estimators: { opencode: { presets: [], load: async () => (await import("./estimator")).opencodeEstimator } },
  settingsFiles: async () => (await import("./base/settings-files")).SETTINGS_FILES,
  serverOff: {
    text: '"mcp": { "<server>": { "enabled": false } }',
    file: "~/.config/opencode/opencode.json",
    source: { kind: "document", text: "opencode.ai/docs/mcp-servers" },
  },
  measures: async () => (await import("./estimator")).opencodeMeasures,
  summaryPrompt: async () => (await import("./summary/summary-prompt")).summaryPromptOf,
  sentTexts: async () => (await import("./sent/sent-text")).sentTexts,
};
