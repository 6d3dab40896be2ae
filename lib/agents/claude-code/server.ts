import type { ServerHalf } from "../server-half";
import { claudeCodeReader } from "./reader";

export const server: ServerHalf = {
  reader: claudeCodeReader,
  estimators: {
    "claude-code": { presets: [], load: async () => (await import("./estimator")).claudeCodeEstimator },
  },
  golden: async () => (await import("./conformance")).conformance,
};
