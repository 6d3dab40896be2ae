import type { ServerHalf } from "@/lib/agents/shared/server-half";
import { qwenCodeReader } from "./read/reader";

export const server: ServerHalf = {
  reader: qwenCodeReader,
  estimators: {
    "qwen-code": { presets: [], load: async () => (await import("./estimator")).qwenCodeEstimator },
    "qwen-code-content": { presets: [], load: async () => (await import("./estimator")).qwenCodeContentEstimator },
  },
  measures: async () => (await import("./estimator")).qwenCodeMeasures,
  summaryPrompt: async () => (await import("./summary/summary-prompt")).summaryPromptOf,
  sentTexts: async () => (await import("./sent/sent-text")).sentTexts,
  overhead: async () => (await import("./report/standing")).qwenCodeStanding,
};
