import type { ServerProfile } from "@/lib/agents/shared/server-profile";
import { miniClaudeCodeReader } from "./read/reader";

export const server: ServerProfile = {
  reader: miniClaudeCodeReader,
  estimators: {
    "mini-claude-code": { presets: [], load: async () => (await import("./estimator")).miniClaudeCodeEstimator },
  },
  summaryPrompt: async () => (await import("./summary/summary-prompt")).summaryPromptOf,
  sentTexts: async () => (await import("./sent/sent-text")).sentTexts,
};
