import type { Tokens } from "@/lib/core/base/units";
import type { StatedWindow } from "@/lib/core/context/window";
import { parsedOr } from "../../json";
import type { BesideSession, WindowsBeside } from "../../server-half";
import { isObject, listOf, objectOf, positiveInteger } from "../messages/value";
import { presetFor } from "../presets";
import { readSessionsIndex } from "./sessions-index";

/**
 * The windows that OpenClaw's files around a transcript give its models: `agent/models.json` and `openclaw.json` per model, then `sessions.json` for
 * the session, and the cap of `openclaw.json`. Source: README.md, "Window".
 */
export const windowsBeside: WindowsBeside = {
  folder: "sessions",
  files: { models: "../agent/models.json", sessions: "sessions.json", config: "../../../openclaw.json" },
  of: (texts, session) => {
    const later =
      presetFor(undefined, session) !== "as-documented" && presetFor(undefined, session) !== "release-2026-02";
    const config = objectOf(parsedOr(texts.models === undefined ? "" : texts.models));
    const models = windowsOf(config.providers, later);
    const own = objectOf(parsedOr(texts.config ?? ""));
    const configured = windowsOf(objectOf(own.models).providers, later);
    const indexed = indexedWindow(texts.sessions, session);
    const cap = positiveInteger(objectOf(objectOf(own.agents).defaults).contextTokens);
    return {
      windowOf: (model) =>
        stated(lookedUp(models, model), "models.json") ??
        stated(lookedUp(configured, model), "openclaw.json") ??
        (indexed === undefined || (indexed.model !== undefined && model !== undefined && indexed.model !== model)
          ? undefined
          : stated(indexed.tokens, "sessions.json")),
      // 2026.9.6 takes its cap from each model's configuration.
      ...(cap === undefined || presetFor(undefined, session) === "current" ? {} : { cap }),
    };
  },
};

function stated(tokens: Tokens | undefined, from: StatedWindow["from"]): StatedWindow | undefined {
  return tokens === undefined ? undefined : { tokens, from };
}

/** Windows by a model's id, with and without its provider. @param later whether a model's limit comes before its window */
function windowsOf(providers: unknown, later: boolean): ReadonlyMap<string, Tokens> {
  const windows = new Map<string, Tokens>();
  for (const [provider, entry] of Object.entries(objectOf(providers))) {
    for (const model of listOf(objectOf(entry).models)) {
      if (!isObject(model) || typeof model.id !== "string") continue;
      const limit = later ? positiveInteger(model.contextTokens) : undefined;
      const tokens = limit ?? positiveInteger(model.contextWindow);
      if (tokens === undefined) continue;
      windows.set(`${provider}/${model.id}`, tokens);
      if (!windows.has(model.id)) windows.set(model.id, tokens);
    }
  }
  return windows;
}

function lookedUp(windows: ReadonlyMap<string, Tokens>, model: string | undefined): Tokens | undefined {
  return model === undefined ? undefined : windows.get(model);
}

function indexedWindow(text: string | undefined, { file, sessionId }: BesideSession) {
  if (text === undefined) return undefined;
  const sessions = readSessionsIndex(text);
  const session = sessions.find((one) => one.file === file) ?? sessions.find((one) => one.sessionId === sessionId);
  return session?.window;
}
