import { countOf, objectOf, parsedOr } from "@/lib/agents/shared/json";
import type { SettingsFiles, WindowInFiles } from "@/lib/agents/shared/server-profile";
import type { Tokens } from "@/lib/core/base/units";
import { spellingsOf } from "@/lib/core/prices/model-id";
import { claudeCodePlaces } from "../base/places";
import { AUTO_COMPACT_WINDOW } from "./settings";

/** Environment variable for the window; settings files set it in `env`. Source: code.claude.com/docs/en/env-vars. */
const VARIABLE = "CLAUDE_CODE_AUTO_COMPACT_WINDOW";

/**
 * The window for auto-compaction that settings files give a model: the variable in their `env`, then file by file the model's own entry in
 * `modelSettings` and the one for all models. `"auto"` is the model's window and ends the search. Source: README.md, "Compaction".
 * @param texts contents of the files, highest precedence first
 */
export function windowInSettings(texts: readonly string[], model: string | undefined): WindowInFiles | undefined {
  const files = texts.map((text) => objectOf(parsedOr(text)));
  const spellings = model === undefined ? [] : spellingsOf(model);
  const isOfModel = (name: string) => spellingsOf(name).some((spelling) => spellings.includes(spelling));
  const variables = files.map(({ env }, file) => ({ value: variableSetting(objectOf(env)[VARIABLE]), file }));
  const entries = files.flatMap((settings, file) => {
    const ofModel = Object.entries(objectOf(settings.modelSettings)).filter(([name]) => isOfModel(name));
    return [...ofModel.map(([, entry]) => objectOf(entry)), settings].map((entry) => ({
      value: entry.autoCompactWindow,
      file,
    }));
  });
  for (const { value, file } of [...variables, ...entries]) {
    if (value === "auto") return undefined;
    const tokens = windowSetting(value);
    if (tokens !== undefined) return { tokens, file };
  }
  return undefined;
}

/** The number at the beginning of a variable, as in `200_000` and `2e5`; `undefined` if there is none. */
function variableSetting(value: unknown): number | undefined {
  if (typeof value !== "string") return countOf(value);
  const text = value.replaceAll("_", "").trim();
  const number = Number(text);
  return countOf(Number.isNaN(number) ? Number.parseInt(text, 10) : number);
}

/** A window for auto-compaction, clamped to the range that Claude Code allows; `undefined` if it is not a positive number. */
export function windowSetting(value: unknown): Tokens | undefined {
  const tokens = countOf(value) ?? 0;
  if (tokens === 0) return undefined;
  return Math.min(Math.max(Math.floor(tokens), AUTO_COMPACT_WINDOW.least), AUTO_COMPACT_WINDOW.most);
}

/** Claude Code's settings files, highest precedence first. Source: code.claude.com/docs/en/settings. */
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
