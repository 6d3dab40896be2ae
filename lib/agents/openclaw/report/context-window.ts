import type { Tokens } from "@/lib/core/base/units";
import {
  BLOCK_BELOW_TOKENS,
  CURRENT_BLOCK_BELOW_TOKENS,
  CURRENT_BLOCK_SHARE,
  CURRENT_WARN_BELOW_TOKENS,
  CURRENT_WARN_SHARE,
  WARN_BELOW_TOKENS,
} from "../constants";
import { isObject, type JsonObject, listOf, objectOf, positiveInteger } from "../messages/value";
import type { OpenClawPreset } from "../presets";

/** Which window applies, and whether it is too small. Source: README.md, "Window". */

export interface WindowInfo {
  readonly tokens: Tokens;
  readonly source: "modelsConfig" | "model" | "default" | "agentContextTokens";
}

export interface WindowQuestion {
  readonly provider: string;
  readonly modelId: string;
  readonly defaultTokens: Tokens;
  readonly modelContextWindow?: unknown;
  /** 2026.9.6: a limit of the model below its window. */
  readonly modelContextTokens?: unknown;
  readonly config?: unknown;
}

/** The window: the one configured for the model, else the model's, else the default. 2026.2.1 caps it by the agents' limit. */
export function windowInfo(question: WindowQuestion, preset: OpenClawPreset): WindowInfo {
  return preset === "current" ? currentWindowInfo(question) : documentedWindowInfo(question, preset);
}

/** The same in 2026.5.7, which takes a model's limit before its window. */
function documentedWindowInfo(question: WindowQuestion, preset: OpenClawPreset): WindowInfo {
  const { contextTokens, contextWindow } = configuredModel(question, (id) => id === question.modelId);
  const isLater = preset === "release-2026-05";
  const configured = (isLater ? positiveInteger(contextTokens) : undefined) ?? positiveInteger(contextWindow);
  const own =
    (isLater ? positiveInteger(question.modelContextTokens) : undefined) ??
    positiveInteger(question.modelContextWindow);
  const info = chosen(configured, own, Math.floor(question.defaultTokens));
  const defaults = objectOf(objectOf(objectOf(question.config).agents).defaults);
  const cap = positiveInteger(defaults.contextTokens);
  return cap !== undefined && cap < info.tokens ? { tokens: cap, source: "agentContextTokens" } : info;
}

/** 2026.9.6 also knows windows of models by their names. They are left out here, since a session does not need them. */
function currentWindowInfo(question: WindowQuestion): WindowInfo {
  const model = configuredModel(question, (id) => typeof id === "string" && id.trim() === question.modelId.trim());
  const window = positiveInteger(model.contextWindow);
  const limit = positiveInteger(model.contextTokens);
  const configured = limit === undefined ? window : Math.min(limit, window ?? limit);
  const own = positiveInteger(question.modelContextTokens) ?? positiveInteger(question.modelContextWindow);
  return chosen(configured, own, positiveInteger(question.defaultTokens) ?? CURRENT_WARN_BELOW_TOKENS);
}

function chosen(configured: Tokens | undefined, model: Tokens | undefined, byDefault: Tokens): WindowInfo {
  if (configured !== undefined) return { tokens: configured, source: "modelsConfig" };
  return model !== undefined ? { tokens: model, source: "model" } : { tokens: byDefault, source: "default" };
}

function configuredModel({ config, provider }: WindowQuestion, isAsked: (id: unknown) => boolean): JsonObject {
  const providers = objectOf(objectOf(objectOf(config).models).providers);
  const models = listOf(objectOf(providers[provider]).models);
  return objectOf(models.find((model) => isObject(model) && isAsked(model.id)));
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

export interface GuardOptions {
  readonly warnBelow?: number | undefined;
  readonly blockBelow?: number | undefined;
  /** 2026.9.6: the window to which the shares refer. */
  readonly reference?: unknown;
}

/** Whether a window is too small to work with. 2026.2.1 accepts one of 0 tokens, 2026.9.6 does not. */
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
