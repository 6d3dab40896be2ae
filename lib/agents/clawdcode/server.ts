import type { ServerProfile } from "@/lib/agents/shared/server-profile";
import { clawdcodeReader } from "./read/reader";

export const server: ServerProfile = {
  reader: clawdcodeReader,
  estimators: {
    clawdcode: {
      presets: [],
      load: async ({ counters, model }) =>
        (await import("./estimator")).createClawdcodeEstimator(await counters(), model),
    },
    "clawdcode-fast": { presets: [], load: async () => (await import("./estimator")).clawdcodeFastEstimator },
  },
  measures: async () => (await import("./estimator")).clawdcodeMeasures(),
  summaryPrompt: async () => (await import("./summary/summary-prompt")).summaryPromptOf,
};
