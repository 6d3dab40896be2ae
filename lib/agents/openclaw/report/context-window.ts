import type { Tokens } from "@/lib/core/base/units";
import {
  BLOCK_BELOW_TOKENS,
  CURRENT_BLOCK_BELOW_TOKENS,
  CURRENT_BLOCK_SHARE,
  CURRENT_WARN_BELOW_TOKENS,
  CURRENT_WARN_SHARE,
  WARN_BELOW_TOKENS,
} from "../base/constants";
import type { OpenClawPreset } from "../base/presets";
import { type JsonObject, objectOf, positiveInteger } from "../messages/value";

/** The applicable window, and the guard for small ones. Source: README.md, "Window". */

/** A part of the configuration that sets a window. */
export type ConfiguredBy = keyof typeof CONFIG_PATHS;

/** Paths of these parts in the configuration. */
export const CONFIG_PATHS = {
  modelsConfig: "models.providers",
  agentContextTokens: "agents.defaults.contextTokens",
} as const;

/** The part of the configuration with this path; `undefined` for any other source. */
export function configuredBy(path: string | undefined): ConfiguredBy | undefined {
  if (path === CONFIG_PATHS.modelsConfig) return "modelsConfig";
  return path === CONFIG_PATHS.agentContextTokens ? "agentContextTokens" : undefined;
}

export function isRelease2026May(preset: OpenClawPreset): boolean {
  return preset === "release-2026-05";
}

/** The window in a model's entry of the configuration. 2026.5.7 takes a model's limit before its window, 2026.9.6 the smaller of both. */
export function configuredWindow({ contextTokens, contextWindow }: JsonObject, preset: OpenClawPreset) {
  const window = positiveInteger(contextWindow);
  const limit = preset === "current" || isRelease2026May(preset) ? positiveInteger(contextTokens) : undefined;
  if (limit === undefined) return window;
  return preset === "current" ? Math.min(limit, window ?? limit) : limit;
}

/** The agents' limit of the configuration; 2026.9.6 takes its cap from each model's entry instead. */
export function capOf(config: unknown, preset: OpenClawPreset): Tokens | undefined {
  if (preset === "current") return undefined;
  return positiveInteger(objectOf(objectOf(objectOf(config).agents).defaults).contextTokens);
}

export interface WindowGuard {
  readonly tokens: Tokens;
  /** The guard warns about smaller windows. */
  readonly warnBelow: Tokens;
  /** The guard refuses smaller windows. */
  readonly blockBelow: Tokens;
  readonly warns: boolean;
  readonly blocks: boolean;
}

interface GuardOptions {
  readonly warnBelow?: number | undefined;
  readonly blockBelow?: number | undefined;
  /** 2026.9.6: the window to which the shares refer. */
  readonly reference?: unknown;
}

/** True if a window is too small to work with. 2026.2.1 accepts one of 0 tokens, 2026.9.6 does not. */
export function guardWindow(tokens: unknown, preset: OpenClawPreset, options: GuardOptions = {}): WindowGuard {
  return preset === "current" || preset === "release-2026-05"
    ? currentGuard(tokens, options)
    : documentedGuard(tokens, options);
}

function documentedGuard(value: unknown, options: GuardOptions): WindowGuard {
  const tokens = Math.max(0, Math.floor(typeof value === "number" ? value : Number.NaN));
  const warnBelow = atLeastOne(options.warnBelow ?? WARN_BELOW_TOKENS);
  const blockBelow = atLeastOne(options.blockBelow ?? BLOCK_BELOW_TOKENS);
  return {
    tokens,
    warnBelow,
    blockBelow,
    warns: tokens > 0 && tokens < warnBelow,
    blocks: tokens > 0 && tokens < blockBelow,
  };
}

function currentGuard(value: unknown, options: GuardOptions): WindowGuard {
  const tokens = positiveInteger(value) ?? 0;
  const reference = positiveInteger(options.reference) ?? tokens;
  const block = Math.max(CURRENT_BLOCK_BELOW_TOKENS, Math.floor(reference * CURRENT_BLOCK_SHARE));
  const warn = Math.max(CURRENT_WARN_BELOW_TOKENS, Math.floor(reference * CURRENT_WARN_SHARE));
  const warnBelow = atLeastOne(options.warnBelow ?? warn);
  const mostBlock = Math.max(tokens, CURRENT_BLOCK_BELOW_TOKENS);
  const blockBelow = atLeastOne(options.blockBelow ?? Math.min(block, mostBlock));
  return {
    tokens,
    warnBelow,
    blockBelow,
    warns: tokens === 0 || tokens < warnBelow,
    blocks: tokens === 0 || tokens < blockBelow,
  };
}

function atLeastOne(limit: number): Tokens {
  return Math.max(1, Math.floor(limit));
}
