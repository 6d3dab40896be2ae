import type { ServerProfile } from "@/lib/agents/shared/server-profile";
import { geminiReader } from "./read/reader";

export const server: ServerProfile = {
  reader: geminiReader,
  estimators: { "gemini-cli": { presets: [], load: async () => (await import("./estimator")).geminiEstimator } },
  settingsFiles: async () => (await import("./base/settings-files")).SETTINGS_FILES,
  serverOff: {
    text: "gemini mcp remove <server>",
    source: { kind: "document", text: "google-gemini/gemini-cli, docs/tools/mcp-server" },
  },
  measures: async () => (await import("./estimator")).geminiMeasures,
  summaryPrompt: async () => (await import("./summary/summary-prompt")).summaryPromptOf,
  sentTexts: async () => (await import("./sent-text")).sentTexts,
};
