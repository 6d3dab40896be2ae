import type { Tokens } from "../base/units";
import type { ModelWindow } from "../prices/windows";
import type { ContextWindow } from "../transcript/model";

/** Window of a model as stated by a file outside of the session. */
export interface StatedWindow {
  readonly tokens: Tokens;
  /** Name of that file. */
  readonly from: string;
}

/** Window facts from outside of a session's file. */
export interface WindowSettings extends Pick<WindowFacts, "settings" | "cap" | "capFrom"> {
  /** Returns the window of a model; also called for requests without a model. */
  readonly windowOf?: (model: string | undefined) => StatedWindow | undefined;
}

/** Window facts by the rules of the preset that wrote a session, and by the rules of its agent's other presets if they differ. */
export interface PresetWindowSettings extends WindowSettings {
  readonly byPreset?: ReadonlyMap<string, WindowSettings> | undefined;
}

/** Adds the windows of other presets that differ from this one. */
export function withPresets(window: ContextWindow, others: Iterable<readonly [string, ContextWindow]>): ContextWindow {
  const own = JSON.stringify(window);
  const byPreset = [...others].flatMap(([preset, other]) =>
    JSON.stringify(other) === own ? [] : [{ preset, ...other }],
  );
  return byPreset.length === 0 ? window : { ...window, byPreset };
}

/** Window of a session by the rules of a preset of its own agent; by default the preset that wrote it. */
export function windowUnderPreset({ byPreset, ...own }: ContextWindow, preset?: string): ContextWindow {
  const found = byPreset?.find((one) => one.preset === preset);
  if (found === undefined) return own;
  const { preset: _, ...window } = found;
  return window;
}

/**
 * Window of a session under settings by model: the window of the last request, and all windows by request if they differ.
 * @param otherwise window of requests whose model the settings do not name
 * @param models of the requests, in order; a request without a model has the previous request's
 */
export function windowUnder(
  otherwise: ContextWindow,
  models: readonly (string | undefined)[],
  { windowOf, cap, capFrom }: Pick<WindowSettings, "windowOf" | "cap" | "capFrom">,
): ContextWindow {
  const { changes: before = [], ...last } = otherwise;
  let model: string | undefined;
  let at = 0;
  const windows = (models.length === 0 ? [undefined] : models).map((named, request): ContextWindow => {
    model = named ?? model;
    while ((before[at + 1]?.request ?? Number.POSITIVE_INFINITY) <= request) at += 1;
    const stated = windowOf?.(model);
    const tokens = before[at]?.tokens ?? last.tokens;
    const unchanged = tokens === last.tokens ? last : { tokens, source: last.source };
    return capped(stated === undefined ? unchanged : { tokens: stated.tokens, source: "settings", from: stated.from }, {
      cap,
      capFrom,
    });
  });
  const changes = windows.flatMap(({ tokens }, request) =>
    request > 0 && windows[request - 1]?.tokens === tokens ? [] : [{ request, tokens }],
  );
  const window = windows.at(-1) ?? last;
  return changes.length > 1 ? { ...window, changes } : window;
}

function capped(window: ContextWindow, { cap, capFrom }: Pick<WindowFacts, "cap" | "capFrom">): ContextWindow {
  if (cap === undefined || cap >= window.tokens) return window;
  return { tokens: cap, source: "settings", ...(capFrom === undefined ? {} : { from: capFrom }) };
}

/** Known facts about a session's window. */
interface WindowFacts {
  readonly user?: Tokens | undefined;
  /** Window of the session's model in the agent's own settings files. */
  readonly settings?: Tokens | undefined;
  readonly recorded?: Tokens | undefined;
  /** Listed windows of the session's models. */
  readonly known: readonly ModelWindow[];
  /** Largest recorded context, if any. */
  readonly observed?: Tokens | undefined;
  readonly byDefault: Tokens;
  /** Maximum window by the agent's settings. It limits every rule except the user's choice. */
  readonly cap?: Tokens | undefined;
  /** Name of the file, or of the rule, that states the cap. */
  readonly capFrom?: string | undefined;
}

/**
 * Returns the context window and the rule that decided it, in this order: the user's choice, the agent's settings files, the recording, the model
 * table, the largest context observed (a lower bound), the agent's default. A recorded context above a window of the table or the default replaces
 * it.
 * Source: docs/method.md, "Reading a recording".
 */
export function resolveWindow(facts: WindowFacts): ContextWindow {
  if (facts.user !== undefined) return { tokens: facts.user, source: "user" };
  return capped(windowWithoutCap(facts), facts);
}

function windowWithoutCap({ settings, recorded, known, observed = 0, byDefault }: WindowFacts): ContextWindow {
  if (settings !== undefined) return { tokens: settings, source: "settings" };
  if (recorded !== undefined) return { tokens: recorded, source: "recorded" };
  const expected = expectedWindow(known) ?? ({ tokens: byDefault, source: "default" } as const);
  if (observed <= expected.tokens) return expected;
  const exceeded = expected.tokens;
  const larger = known.flatMap((one) => one.larger ?? []).filter((tokens) => tokens >= observed);
  if (larger.length > 0) return { tokens: Math.min(...larger), source: "known-model", exceeded };
  return { tokens: observed, source: "inferred", exceeded };
}

/** Largest window of the models; `undefined` if none is known. */
function expectedWindow(known: readonly ModelWindow[]): ContextWindow | undefined {
  if (known.length === 0) return undefined;
  const tokens = Math.max(...known.map((window) => window.tokens));
  const isKnown = known.some((window) => window.tokens === tokens && window.isAssumed !== true);
  return { tokens, source: isKnown ? "known-model" : "assumed" };
}

/** Window for the count of "requests above the window": always the whole one, even if the agent fills only a part of it. */
export function windowToExceed({ tokens, whole = tokens }: Pick<ContextWindow, "tokens" | "whole">): Tokens {
  return whole;
}

/** Window as a limit for shares; `undefined` if only a lower bound is known. */
export function windowToFill(window: Pick<ContextWindow, "tokens" | "whole" | "source">): Tokens | undefined {
  return window.source === "inferred" ? undefined : windowToExceed(window);
}
