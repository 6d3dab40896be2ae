import type { ServerHalf } from "@/lib/agents/shared/server-half";
import { claudeCodeReader } from "./read/reader";

export const server: ServerHalf = {
  reader: claudeCodeReader,
  estimators: {
    "claude-code": { presets: [], load: async () => (await import("./estimator")).claudeCodeEstimator },
  },
  settingsFiles: async () => (await import("./policy/settings-files")).SETTINGS_FILES,
  measures: async () => (await import("./file-sizes")).claudeCodeMeasures,
};
