import { parsedOr } from "@/lib/agents/shared/json";
import type { SessionIdentity, WindowsBeside } from "@/lib/agents/shared/server-profile";
import type { Tokens } from "@/lib/core/base/units";
import type { StatedWindow } from "@/lib/core/context/window";
import { type OpenClawPreset, openClawPreset } from "../base/presets";
import { isObject, listOf, objectOf } from "../messages/value";
import { CONFIG_PATHS, capOf, configuredWindow } from "./context-window";
import { readSessionsIndex } from "./sessions-index";

/**
 * The windows that OpenClaw's files around a transcript give its models: `openclaw.json` and `agent/models.json` per model, then `sessions.json` for
 * the session, and the cap of `openclaw.json`. Source: README.md, "Window".
 */
export const windowsBeside: WindowsBeside = {
  folder: "sessions",
  files: { models: "../agent/models.json", sessions: "sessions.json", config: "../../../openclaw.json" },
  of: (texts, session) => {
    const config = parsedOr(texts.config ?? "");
    const providers = objectOf(parsedOr(texts.models ?? "")).providers;
    const indexed = indexedWindow(texts.sessions, session);
    return (named) => {
      const preset = openClawPreset(named);
      const models = windowsOf(providers, preset);
      const configured = windowsOf(objectOf(objectOf(config).models).providers, preset);
      return {
        windowOf: (model) =>
          stated(lookedUp(configured, model), "openclaw.json") ??
          stated(lookedUp(models, model), "models.json") ??
          (indexed === undefined || (indexed.model !== undefined && model !== undefined && indexed.model !== model)
            ? undefined
            : stated(indexed.tokens, "sessions.json")),
        cap: capOf(config, preset),
        capFrom: "openclaw.json",
      };
    };
  },
  ofConfig: (config, named) => {
    const preset = openClawPreset(named);
    const configured = windowsOf(objectOf(config.models).providers, preset);
    return {
      windowOf: (model) => stated(lookedUp(configured, model), CONFIG_PATHS.modelsConfig),
      cap: capOf(config, preset),
      capFrom: CONFIG_PATHS.agentContextTokens,
    };
  },
};

function stated(tokens: Tokens | undefined, from: StatedWindow["from"]): StatedWindow | undefined {
  return tokens === undefined ? undefined : { tokens, from };
}

/** Windows by a model's id, with and without its provider. */
function windowsOf(providers: unknown, preset: OpenClawPreset): ReadonlyMap<string, Tokens> {
  const windows = new Map<string, Tokens>();
  for (const [provider, entry] of Object.entries(objectOf(providers))) {
    for (const model of listOf(objectOf(entry).models)) {
      if (!isObject(model) || typeof model.id !== "string") continue;
      const tokens = configuredWindow(model, preset);
      if (tokens === undefined) continue;
      const id = model.id.trim();
      windows.set(`${provider}/${id}`, tokens);
      if (!windows.has(id)) windows.set(id, tokens);
    }
  }
  return windows;
}

function lookedUp(windows: ReadonlyMap<string, Tokens>, model: string | undefined): Tokens | undefined {
  return model === undefined ? undefined : windows.get(model);
}

function indexedWindow(text: string | undefined, { file, sessionId }: SessionIdentity) {
  if (text === undefined) return undefined;
  const sessions = readSessionsIndex(text);
  const session = sessions.find((one) => one.file === file) ?? sessions.find((one) => one.sessionId === sessionId);
  return session?.window;
}
