import type { ServerProfile } from "@/lib/agents/shared/server-profile";
import { CODEX_PRESETS, codexPreset } from "./base/presets";
import { codexReader } from "./read/reader";

export const server: ServerProfile = {
  reader: codexReader,
  estimators: {
    codex: {
      presets: CODEX_PRESETS,
      load: async ({ preset }) => (await import("./estimator")).codexEstimatorOf(codexPreset(preset)),
    },
  },
  settingsFiles: async () => (await import("./base/settings-files")).SETTINGS_FILES,
  serverOff: {
    text: "[mcp_servers.<server>] enabled = false",
    file: "~/.codex/config.toml",
    source: { kind: "document", text: "developers.openai.com/codex/mcp" },
  },
  measures: async () => (await import("./estimator")).codexMeasures,
  resultText: async () => (await import("./messages/output")).outputText,
  summaryPrompt: async () => (await import("./summary/summary-prompt")).summaryPromptOf,
  sentTexts: async () => (await import("./sent-text")).sentTexts,
};
