import type { ServerProfile } from "@/lib/agents/shared/server-profile";
import { geminiReader } from "./read/reader";

export const server: ServerProfile = {
  reader: geminiReader,
  estimators: { "gemini-cli": { presets: [], load: async () => (await import("./estimator")).geminiEstimator } },
  measures: async () => (await import("./estimator")).geminiMeasures,
  summaryPrompt: async () => (await import("./summary/summary-prompt")).summaryPromptOf,
  sentTexts: async () => (await import("./sent-text")).sentTexts,
};
