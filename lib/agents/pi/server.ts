import type { ServerProfile } from "@/lib/agents/shared/server-profile";
import { PI_PRESETS, piPreset } from "./base/presets";
import { piReader } from "./read/reader";

export const server: ServerProfile = {
  reader: piReader,
  estimators: {
    pi: {
      presets: PI_PRESETS,
      load: async ({ preset }) => (await import("./estimator")).piEstimatorOf(piPreset(preset)),
    },
  },
  settingsFiles: async () => (await import("./base/settings-files")).SETTINGS_FILES,
  measures: async () => (await import("./estimator")).piMeasures,
  summaryPrompt: async () => (await import("./summary/summary-prompt")).summaryPromptOf,
  sentTexts: async () => (await import("./sent/sent-text")).sentTexts,
};
