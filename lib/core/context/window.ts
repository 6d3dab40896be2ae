import type { Tokens } from "../base/units";
import type { ModelWindow } from "../prices/windows";
import type { ContextWindow } from "../transcript/model";

/** A window that a file outside of the session states for a model. */
export interface StatedWindow {
  readonly tokens: Tokens;
  /** Name of that file. */
  readonly from: string;
}

/** Window facts that stand outside a session's file. */
export interface WindowSettings extends Pick<WindowFacts, "settings" | "cap" | "capFrom"> {
  /** The window of a model; also asked for requests that name none. */
  readonly windowOf?: (model: string | undefined) => StatedWindow | undefined;
}

/** Window facts by the rules of the preset that wrote a session, and by those of its agent's presets, if these read such facts in different ways. */
export interface PresetWindowSettings extends WindowSettings {
  readonly byPreset?: ReadonlyMap<string, WindowSettings> | undefined;
}

/** A window with those of other presets beside it, as far as they differ. */
export function withPresets(window: ContextWindow, others: Iterable<readonly [string, ContextWindow]>): ContextWindow {
  const own = JSON.stringify(window);
  const byPreset = [...others].flatMap(([preset, other]) =>
    JSON.stringify(other) === own ? [] : [{ preset, ...other }],
  );
  return byPreset.length === 0 ? window : { ...window, byPreset };
}

/** The window of a session by the rules of a preset of its own agent; without a preset, by those of the preset that wrote it. */
export function windowUnderPreset({ byPreset, ...own }: ContextWindow, preset?: string): ContextWindow {
  const found = byPreset?.find((one) => one.preset === preset);
  if (found === undefined) return own;
  const { preset: _, ...window } = found;
  return window;
}

/**
 * A session's window under settings by model: that of the last request, with the windows by request if they differ.
 * @param models of the requests, in order; a request without a model has that of the one before
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

/** What is known about a session's window. */
interface WindowFacts {
  readonly user?: Tokens | undefined;
  /** The window that the agent's own settings files give the session's model. */
  readonly settings?: Tokens | undefined;
  readonly recorded?: Tokens | undefined;
  /** The windows of those of the session's models that are listed. */
  readonly known: readonly ModelWindow[];
  /** Largest recorded context, if any. */
  readonly observed?: Tokens | undefined;
  readonly byDefault: Tokens;
  /** The most that the agent's settings allow, whichever rule gives the window but the user's choice. */
  readonly cap?: Tokens | undefined;
  /** Name of the file, or of the rule, that states the cap. */
  readonly capFrom?: string | undefined;
}

/**
 * The context window and the rule that decided it, in this order: the user's choice, the agent's settings files, the recording, the model table, the
 * largest context observed (a lower bound), the agent's default. A recorded context above a window of the table or the default replaces it.
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

/** The largest window of the models; `undefined` where none is known. */
function expectedWindow(known: readonly ModelWindow[]): ContextWindow | undefined {
  if (known.length === 0) return undefined;
  const tokens = Math.max(...known.map((window) => window.tokens));
  const isKnown = known.some((window) => window.tokens === tokens && window.isAssumed !== true);
  return { tokens, source: isKnown ? "known-model" : "assumed" };
}

/** The window against which "requests above the window" count, on every surface: the whole one, also for an agent that fills only a part of it. */
export function windowToExceed({ tokens, whole = tokens }: Pick<ContextWindow, "tokens" | "whole">): Tokens {
  return whole;
}

/** The same as a limit of which shares can be taken; `undefined` where only a lower bound of it is known. */
export function windowToFill(window: Pick<ContextWindow, "tokens" | "whole" | "source">): Tokens | undefined {
  return window.source === "inferred" ? undefined : windowToExceed(window);
}
