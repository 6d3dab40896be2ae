import type { OpenClawPreset } from "@/lib/agents/openclaw/base/presets";
import { messageTokens } from "@/lib/agents/openclaw/messages/estimate";
import type { AgentMessage } from "@/lib/agents/openclaw/messages/message";
import { isPresent, type NormalizedUsage, usageField } from "@/lib/agents/openclaw/messages/usage";
import { finite, isObject, type JsonObject, objectOf } from "@/lib/agents/openclaw/messages/value";
import { sumOf } from "@/lib/core/base/numbers";
import type { Tokens } from "@/lib/core/base/units";

/** For each field, the first name that is present decides; if its value is not a number, no other name is tried. */
export function normalizeUsage(raw: unknown): NormalizedUsage | undefined {
  if (!isObject(raw)) return undefined;
  const field = (key: keyof NormalizedUsage) => finite(usageField(raw, key));
  const usage = {
    input: field("input"),
    output: field("output"),
    cacheRead: field("cacheRead"),
    cacheWrite: field("cacheWrite"),
    total: field("total"),
  };
  return Object.values(usage).some(isPresent) ? usage : undefined;
}

/** All tokens sent: the input and both cached parts. `undefined` if that is 0. */
export function promptTokens(usage: Partial<NormalizedUsage>): Tokens | undefined {
  const tokens = sumOf([usage.input ?? 0, usage.cacheRead ?? 0, usage.cacheWrite ?? 0]);
  return tokens > 0 ? tokens : undefined;
}

/** True if any of the five fields is above zero. */
export function isNonzero(usage: Partial<NormalizedUsage>): boolean {
  const { input, output, cacheRead, cacheWrite, total } = usage;
  return [input, output, cacheRead, cacheWrite, total].some((tokens) => (finite(tokens) ?? 0) > 0);
}

/** OpenClaw's context size after a response: its total, including output. Source: README.md, "Sizes". */
function contextTokensOf(usage: JsonObject, preset: OpenClawPreset): Tokens {
  const measured = objectOf(usage.contextUsage);
  if (preset === "current" && measured.state === "available") return finite(measured.totalTokens) ?? 0;
  const parts = [usage.input, usage.output, usage.cacheRead, usage.cacheWrite];
  return finite(usage.totalTokens) || sumOf(parts.map((part) => finite(part) ?? 0));
}

/** A context's size: the last usable usage, plus the estimate of later messages. */
interface ContextEstimate {
  readonly tokens: Tokens;
  readonly usageTokens: Tokens;
  readonly trailingTokens: Tokens;
}

/**
 * Estimate of a context. Release 2026.2.1 accepts a usage of nothing but zeros, so a delivery mirror resets the count. 2026.9.6 skips it, and stops
 * at a response that says that its usage is unknown.
 */
export function estimateContext(messages: readonly AgentMessage[], preset: OpenClawPreset): ContextEstimate {
  const at = lastUsageAt(messages, preset);
  const usage = at < 0 ? undefined : objectOf(messages[at]?.usage);
  const usageTokens = usage === undefined ? 0 : contextTokensOf(usage, preset);
  const trailingTokens = sumOf(messages.slice(at + 1).map((message) => messageTokens(message, preset)));
  return { tokens: usageTokens + trailingTokens, usageTokens, trailingTokens };
}

/** Position of the message whose usage counts; −1 if there is none. */
function lastUsageAt(messages: readonly AgentMessage[], preset: OpenClawPreset): number {
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at] ?? {};
    if (preset === "current" && isUsageUnknown(message)) return -1;
    if (hasUsage(message, preset)) return at;
  }
  return -1;
}

function hasUsage(message: AgentMessage, preset: OpenClawPreset): boolean {
  const { role, stopReason, usage } = message;
  if (role !== "assistant" || stopReason === "aborted" || stopReason === "error" || !isObject(usage)) return false;
  if (preset !== "current") return true;
  return contextTokensOf(usage, preset) > 0 && objectOf(usage.contextUsage).state !== "unavailable";
}

/** True if a response says that the size of its context is unknown. */
export function isUsageUnknown({ role, api, usage }: AgentMessage): boolean {
  if (role !== "assistant" || !isObject(usage)) return false;
  if (api === "cli" && usage.contextUsage === undefined) return true;
  return objectOf(usage.contextUsage).state === "unavailable" && contextTokensOf(usage, "current") === 0;
}
