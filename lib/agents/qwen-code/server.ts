import type { ServerProfile } from "@/lib/agents/shared/server-profile";
import { qwenCodeReader } from "./read/reader";

export const server: ServerProfile = {
  reader: qwenCodeReader,
  estimators: {
    "qwen-code": { presets: [], load: async () => (await import("./estimator")).qwenCodeEstimator },
    "qwen-code-content": { presets: [], load: async () => (await import("./estimator")).qwenCodeContentEstimator },
  },
  settingsFiles: async () => (await import("./base/settings-files")).SETTINGS_FILES,
  measures: async () => (await import("./estimator")).qwenCodeMeasures,
  summaryPrompt: async () => (await import("./summary/summary-prompt")).summaryPromptOf,
  sentTexts: async () => (await import("./sent/sent-text")).sentTexts,
  overhead: async () => (await import("./report/overhead")).qwenCodeOverhead,
};
