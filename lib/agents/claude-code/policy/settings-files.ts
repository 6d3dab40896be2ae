import type { Tokens } from "@/lib/core/base/units";
import { spellingsOf } from "@/lib/core/prices/model-id";
import { countOf, objectOf, parsedOr } from "../../json";
import type { SettingsFiles } from "../../server-half";
import { claudeCodePlaces } from "../places";
import { AUTO_COMPACT_WINDOW } from "./settings";

/**
 * The window for auto-compaction that settings files give a model: its own entry in `modelSettings` before the one for all models, and of several
 * files the first. `undefined` where none gives one. Source: README.md, "Compaction".
 * @param texts of the files, the one with the highest precedence first
 */
export function windowInSettings(texts: readonly string[], model: string | undefined): Tokens | undefined {
  const files = texts.map((text) => objectOf(parsedOr(text)));
  const spellings = model === undefined ? [] : spellingsOf(model);
  const ofModel = files.flatMap(({ modelSettings }) =>
    Object.entries(objectOf(modelSettings))
      .filter(([name]) => spellingsOf(name).some((spelling) => spellings.includes(spelling)))
      .map(([, entry]) => objectOf(entry)),
  );
  return [...ofModel, ...files].map((entry) => windowSetting(entry.autoCompactWindow)).find((one) => one !== undefined);
}

/** A window for auto-compaction in the range that Claude Code allows; `undefined` for what is no positive number. */
export function windowSetting(value: unknown): Tokens | undefined {
  const tokens = countOf(value) ?? 0;
  if (tokens === 0) return undefined;
  return Math.min(Math.max(Math.floor(tokens), AUTO_COMPACT_WINDOW.least), AUTO_COMPACT_WINDOW.most);
}

/** Claude Code's settings files, the one with the highest precedence first. Source: code.claude.com/docs/en/settings. */
export const SETTINGS_FILES: SettingsFiles = {
  places: claudeCodePlaces,
  sessions: "projects",
  managed: {
    darwin: "/Library/Application Support/ClaudeCode/managed-settings.json",
    linux: "/etc/claude-code/managed-settings.json",
    win32: "C:\\Program Files\\ClaudeCode\\managed-settings.json",
  },
  project: [".claude/settings.local.json", ".claude/settings.json"],
  user: "settings.json",
  window: windowInSettings,
};
