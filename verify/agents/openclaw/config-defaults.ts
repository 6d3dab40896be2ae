import { MEMORY_FLUSH_TOKENS, memoryFlushThreshold, RESERVE_TOKENS_FLOOR } from "@/lib/agents/openclaw/base/constants";
import {
  filledText,
  finite,
  isObject,
  type JsonObject,
  objectOf,
  textOf,
  wholeNumber,
} from "@/lib/agents/openclaw/messages/value";
import type { Tokens } from "@/lib/core/base/units";
import { entryOf, writtenAs } from "@/lib/core/records/fields";

/** OpenClaw's defaults for absent values of a configuration. Source: README.md, "Configuration"; openclaw@2026.2.1. */

/** The configuration with the summariser `safeguard` if no mode is set. Unchanged if it has no defaults for agents. */
export function withCompactionDefaults(config: JsonObject): JsonObject {
  const defaults = agentDefaults(config);
  if (defaults === undefined || objectOf(defaults.compaction).mode) return config;
  return withAgentDefaults(config, {
    ...defaults,
    compaction: { ...objectOf(defaults.compaction), mode: "safeguard" },
  });
}

/** Credentials in the environment; they decide only where the configuration's profiles do not. */
interface AuthEnvironment {
  readonly ANTHROPIC_OAUTH_TOKEN?: string | undefined;
  readonly ANTHROPIC_API_KEY?: string | undefined;
}

type AuthMode = "oauth" | "api_key";

/** The configuration with pruning and heartbeat switched on if the user pays for Anthropic's models. */
export function withPruningDefaults(config: JsonObject, environment: AuthEnvironment = {}): JsonObject {
  const defaults = agentDefaults(config);
  const mode = defaults === undefined ? undefined : anthropicAuthMode(config, environment);
  if (defaults === undefined || mode === undefined) return config;
  const changes = { ...pruningChange(defaults), ...heartbeatChange(defaults, mode), ...cacheChange(defaults, mode) };
  return Object.keys(changes).length === 0 ? config : withAgentDefaults(config, { ...defaults, ...changes });
}

function agentDefaults(config: JsonObject): JsonObject | undefined {
  const defaults = objectOf(config.agents).defaults;
  return isObject(defaults) ? defaults : undefined;
}

function withAgentDefaults(config: JsonObject, defaults: JsonObject): JsonObject {
  return { ...config, agents: { ...objectOf(config.agents), defaults } };
}

/** The user's way of paying for Anthropic: by the first decisive profile, in order; otherwise by all profiles if they agree. */
function anthropicAuthMode(config: JsonObject, environment: AuthEnvironment): AuthMode | undefined {
  const auth = objectOf(config.auth);
  const profiles = objectOf(auth.profiles);
  const order = objectOf(auth.order).anthropic;
  for (const id of Array.isArray(order) ? order : []) {
    const mode = authModeOf(entryOf(profiles, writtenAs(id)));
    if (mode !== undefined) return mode;
  }
  const modes = new Set(Object.values(profiles).flatMap((profile) => authModeOf(profile) ?? []));
  if (modes.size === 1) return [...modes][0];
  if (environment.ANTHROPIC_OAUTH_TOKEN?.trim()) return "oauth";
  return environment.ANTHROPIC_API_KEY?.trim() ? "api_key" : undefined;
}

function authModeOf(profile: unknown): AuthMode | undefined {
  const { provider, mode } = objectOf(profile);
  if (provider !== "anthropic") return undefined;
  if (mode === "api_key") return "api_key";
  return mode === "oauth" || mode === "token" ? "oauth" : undefined;
}

function pruningChange(defaults: JsonObject): JsonObject {
  const pruning = objectOf(defaults.contextPruning);
  if (pruning.mode !== undefined) return {};
  return { contextPruning: { ...pruning, mode: "cache-ttl", ttl: pruning.ttl ?? "1h" } };
}

function heartbeatChange(defaults: JsonObject, mode: AuthMode): JsonObject {
  const heartbeat = objectOf(defaults.heartbeat);
  if (heartbeat.every !== undefined) return {};
  return { heartbeat: { ...heartbeat, every: mode === "oauth" ? "1h" : "30m" } };
}

/** With an API key, Anthropic's models get a short cache unless the configuration says otherwise. */
function cacheChange(defaults: JsonObject, mode: AuthMode): JsonObject {
  if (mode !== "api_key") return {};
  const models = objectOf(defaults.models);
  const primary = primaryModel(objectOf(defaults.model).primary);
  const named = Object.keys(models).filter((key) => anthropicModel(key) !== undefined);
  const own = primary === undefined ? undefined : anthropicModel(primary);
  const keys = [...named, ...(own === undefined ? [] : [`anthropic/${own}`])];
  const changed = [...new Set(keys)].filter((key) => typeof paramsOf(models[key]).cacheRetention !== "string");
  if (changed.length === 0) return {};
  const entries = changed.map((key) => {
    const params = { ...paramsOf(models[key]), cacheRetention: "short" };
    return [key, { ...objectOf(models[key]), params }] as const;
  });
  return { models: { ...models, ...Object.fromEntries(entries) } };
}

function paramsOf(model: unknown): JsonObject {
  return objectOf(objectOf(model).params);
}

const ALIASES: Readonly<Record<string, string>> = {
  opus: "anthropic/claude-opus-4-5",
  sonnet: "anthropic/claude-sonnet-4-5",
  gpt: "openai/gpt-5.2",
  "gpt-mini": "openai/gpt-5-mini",
  gemini: "google/gemini-3-pro-preview",
  "gemini-flash": "google/gemini-3-flash-preview",
};

function primaryModel(value: unknown): string | undefined {
  const name = filledText(textOf(value)?.trim());
  if (name === undefined) return undefined;
  const alias = name.toLowerCase();
  return Object.hasOwn(ALIASES, alias) ? ALIASES[alias] : name;
}

/** Short names of Anthropic's models. */
const ANTHROPIC_MODELS: Readonly<Record<string, string>> = {
  "opus-4.5": "claude-opus-4-5",
  "sonnet-4.5": "claude-sonnet-4-5",
};

/** The model in a reference `provider/model` with the provider Anthropic or none. */
function anthropicModel(reference: string): string | undefined {
  const text = reference.trim();
  const slash = text.indexOf("/");
  const provider = slash < 0 ? "anthropic" : text.slice(0, slash).trim().toLowerCase();
  const model = slash < 0 ? text : text.slice(slash + 1).trim();
  if (provider !== "anthropic" || model === "") return undefined;
  const short = model.toLowerCase();
  return Object.hasOwn(ANTHROPIC_MODELS, short) ? ANTHROPIC_MODELS[short] : model;
}

/** The minimum reserve that a configuration sets. */
export function reserveTokensFloor(config: unknown): Tokens {
  const value = finite(compactionConfig(config).reserveTokensFloor);
  return value !== undefined && value >= 0 ? Math.floor(value) : RESERVE_TOKENS_FLOOR;
}

function compactionConfig(config: unknown): JsonObject {
  return objectOf(objectOf(objectOf(objectOf(config).agents).defaults).compaction);
}

/** The reserve in force; `overridden` if it is larger than pi's own. */
interface ReserveChange {
  readonly reserveTokens: Tokens;
  readonly overridden: boolean;
}

/** pi's reserve, raised to the minimum `least` if it is smaller. */
export function raisedReserve(current: Tokens, least: Tokens = RESERVE_TOKENS_FLOOR): ReserveChange {
  return current >= least ? { reserveTokens: current, overridden: false } : { reserveTokens: least, overridden: true };
}

/** The silent turn before a compaction in which memories are written down. */
interface MemoryFlushSettings {
  readonly enabled: true;
  readonly softThresholdTokens: Tokens;
  readonly prompt: string;
  readonly systemPrompt: string;
  readonly reserveTokensFloor: Tokens;
}

const NO_REPLY = "NO_REPLY";
const FLUSH_PROMPT = `Pre-compaction memory flush. Store durable memories now (use memory/YYYY-MM-DD.md; create memory/ if needed). If nothing to store, reply with ${NO_REPLY}.`;
const FLUSH_SYSTEM_PROMPT = `Pre-compaction memory flush turn. The session is near auto-compaction; capture durable memories to disk. You may reply, but usually ${NO_REPLY} is correct.`;

/** The settings of that turn; `undefined` if it is switched off. */
export function memoryFlushSettings(config: unknown): MemoryFlushSettings | undefined {
  const compaction = compactionConfig(config);
  const flush = objectOf(compaction.memoryFlush);
  if (!(flush.enabled ?? true)) return undefined;
  const prompt = (value: unknown, byDefault: string) => withReplyHint(textOf(value)?.trim() || byDefault);
  return {
    enabled: true,
    softThresholdTokens: wholeNumber(flush.softThresholdTokens) ?? MEMORY_FLUSH_TOKENS,
    prompt: prompt(flush.prompt, FLUSH_PROMPT),
    systemPrompt: prompt(flush.systemPrompt, FLUSH_SYSTEM_PROMPT),
    reserveTokensFloor: wholeNumber(compaction.reserveTokensFloor) ?? RESERVE_TOKENS_FLOOR,
  };
}

function withReplyHint(text: string): string {
  if (text.includes(NO_REPLY)) return text;
  return `${text}\n\nIf no user-visible reply is needed, start with ${NO_REPLY}.`;
}

/** True if memories must be written down now: once for every compaction, once the threshold is reached. */
export function isMemoryFlushDue(
  session: {
    readonly totalTokens?: unknown;
    readonly compactionCount?: unknown;
    readonly memoryFlushCompactionCount?: unknown;
  },
  limits: { readonly window: Tokens; readonly reserveTokensFloor: Tokens; readonly softThresholdTokens: Tokens },
): boolean {
  const total = session.totalTokens;
  if (typeof total !== "number" || !(total > 0)) return false;
  const threshold = memoryFlushThreshold(limits.window, limits.reserveTokensFloor, limits.softThresholdTokens);
  if (threshold <= 0 || total < threshold) return false;
  const flushed = session.memoryFlushCompactionCount;
  return typeof flushed !== "number" || flushed !== (session.compactionCount ?? 0);
}
