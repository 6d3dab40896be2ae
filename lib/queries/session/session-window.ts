import { profileOf } from "@/lib/agents/policies";
import { type AgentProfile, defaultWindowOf } from "@/lib/agents/shared/profile";
import type { Tokens } from "@/lib/core/base/units";
import {
  type PresetWindowSettings,
  resolveWindow,
  type WindowSettings,
  windowUnder,
  withPresets,
} from "@/lib/core/context/window";
import { spellingsOf } from "@/lib/core/prices/model-id";
import { knownWindow, type ModelWindow } from "@/lib/core/prices/windows";
import type { ContextWindow, Transcript } from "@/lib/core/transcript/model";
import { contextOf } from "@/lib/core/transcript/totals";

/** Window for a format without an agent, if nothing states one. Source: docs/interfaces.md, "Default windows". */
const DEFAULT_WINDOW: Tokens = 200_000;

/**
 * The window of a session for every surface: list, page, command line and bundles. For an agent that fills only a part of the window (Codex),
 * `tokens` is that part, since its files record it, and `whole` the window.
 * @param observed the largest recorded context, if any
 */
export function sessionWindow(
  transcript: Pick<Transcript, "agent" | "agentVersion" | "models" | "requests" | "recordedWindow">,
  observed: Tokens | undefined,
  { byPreset, ...settings }: PresetWindowSettings = {},
): ContextWindow {
  const others = Array.from(
    byPreset ?? [],
    ([preset, other]) => [preset, windowBy(transcript, observed, other)] as const,
  );
  return withPresets(windowBy(transcript, observed, settings), others);
}

function windowBy(
  transcript: Parameters<typeof sessionWindow>[0],
  observed: Tokens | undefined,
  settings: WindowSettings,
): ContextWindow {
  const { agent, recordedWindow } = transcript;
  const profile = profileOf(agent);
  const found = resolvedWindow(transcript, observed, settings);
  const window =
    recordedWindow !== undefined && found.source === "recorded" && profile?.refusalsStateWindow === true
      ? { ...found, from: "error" }
      : found;
  if (profile?.effectiveWindow === undefined || window.source === "inferred") return window;
  return window.source === "recorded" && profile.policyWindow !== undefined
    ? { ...window, whole: profile.policyWindow(window.tokens) }
    : { ...window, tokens: profile.effectiveWindow(window.tokens), whole: window.tokens };
}

/** The stated windows of each request's model; the last request's window is the session's. */
function resolvedWindow(
  transcript: Parameters<typeof sessionWindow>[0],
  observed: Tokens | undefined,
  { windowOf, ...settings }: WindowSettings,
): ContextWindow {
  const otherwise = windowWithoutFiles(transcript, observed, settings);
  if (windowOf === undefined) return otherwise;
  const models = transcript.requests.map((point) => point.model);
  return windowUnder(otherwise, models, { ...settings, windowOf });
}

function windowWithoutFiles(
  transcript: Parameters<typeof sessionWindow>[0],
  observed: Tokens | undefined,
  settings: WindowSettings,
): ContextWindow {
  const { agent, agentVersion, recordedWindow } = transcript;
  const profile = profileOf(agent);
  return resolveWindow({
    ...settings,
    recorded: recordedWindow,
    known: answeringModels(transcript).flatMap((model) => modelWindow(profile, model) ?? []),
    observed,
    byDefault:
      profile === undefined ? DEFAULT_WINDOW : defaultWindowOf(profile, profile.presetFor?.(agentVersion)).value,
  });
}

/** The window of a model under an agent; `undefined` if it is not listed. */
function modelWindow(profile: AgentProfile | undefined, model: string): ModelWindow | undefined {
  const spellings = spellingsOf(model);
  const own = profile?.modelWindows?.find(({ ids }) => spellings.some((name) => ids.includes(name)));
  return own ?? knownWindow(model);
}

/** Models of the requests with usage, since only their windows were filled; without usage, all named models. */
function answeringModels({ requests, models }: Pick<Transcript, "requests" | "models">): readonly string[] {
  const answered = new Set<string>();
  for (const point of requests) if (point.model !== undefined && contextOf(point) > 0) answered.add(point.model);
  return answered.size > 0 ? [...answered] : models;
}
