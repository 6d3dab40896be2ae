import type { ServerProfile } from "@/lib/agents/shared/server-profile";
import { COUNTING_PRESETS, openClawPreset } from "./base/presets";
import { openClawReader } from "./read/reader";

export const server: ServerProfile = {
  reader: openClawReader,
  database: async () => (await import("./read/database")).openClawDatabase,
  windowsBeside: async () => (await import("./report/windows-beside")).windowsBeside,
  estimators: {
    openclaw: {
      presets: COUNTING_PRESETS,
      load: async ({ preset }) => (await import("./estimator")).openClawEstimatorOf(openClawPreset(preset)),
    },
  },
  measures: async () => (await import("./estimator")).openClawMeasures,
  summaryPrompt: async () => (await import("./summary/summary-prompt")).summaryPromptOf,
  sentTexts: async () => (await import("./sent/sent-text")).sentTexts,
  report: async () => (await import("./report/context-report")).contextReporter,
};
