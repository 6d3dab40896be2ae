import type { PiPreset } from "@/lib/agents/pi/base/presets";
import { messagesTokens } from "@/lib/agents/pi/estimator";
import type { PiMessage, PiUsage } from "@/lib/agents/pi/messages/message";
import type { Tokens } from "@/lib/core/base/units";

/** Settings of pi's compaction. */
export interface CompactionSettings {
  readonly enabled: boolean;
  readonly reserveTokens: Tokens;
  readonly keepRecentTokens: Tokens;
}

/** The context as pi estimates it: the last usage, and the messages after it. */
export interface ContextEstimate {
  readonly tokens: Tokens;
  readonly usageTokens: Tokens;
  readonly trailingTokens: Tokens;
  /** The message whose usage was used; `undefined` if everything is an estimate. */
  readonly lastUsageIndex: number | undefined;
}

/**
 * The context size that a usage states: its total, or the sum of its parts if the total is 0 or missing. Source: README.md, "Context size".
 */
export function usageTokens(usage: PiUsage): Tokens {
  const total = numberOf(usage.totalTokens);
  if (total > 0 || total < 0) return total;
  return numberOf(usage.input) + numberOf(usage.output) + numberOf(usage.cacheRead) + numberOf(usage.cacheWrite);
}

/** A value as JavaScript adds it to a sum: `null` counts 0, and anything else that is not a number makes the sum NaN. */
function numberOf(value: unknown): number {
  if (value === null) return 0;
  return typeof value === "number" ? value : Number.NaN;
}

/**
 * Estimate of a context from its messages: the last valid usage of a response, plus the estimate of the messages after it. Without a valid usage
 * everything is estimated. `v0.51.0` treats zeros as a valid usage, which resets the context to the messages after it. Source: README.md, "Context
 * size".
 */
export function estimateContext(messages: readonly PiMessage[], preset: PiPreset): ContextEstimate {
  const index = messages.findLastIndex((message) => validUsage(message, preset) !== undefined);
  const last = messages[index];
  const usage = last === undefined ? undefined : validUsage(last, preset);
  const trailingTokens = messagesTokens(messages.slice(index + 1), preset);
  if (usage === undefined) return { tokens: trailingTokens, usageTokens: 0, trailingTokens, lastUsageIndex: undefined };
  const used = usageTokens(usage);
  return { tokens: used + trailingTokens, usageTokens: used, trailingTokens, lastUsageIndex: index };
}

function validUsage(message: PiMessage, preset: PiPreset): PiUsage | undefined {
  if (message.role !== "assistant" || message.usage === undefined) return undefined;
  if (message.stopReason === "aborted" || message.stopReason === "error") return undefined;
  return preset === "v0.51.0" || usageTokens(message.usage) > 0 ? message.usage : undefined;
}

/** True if a context of this size is compacted: only above the window minus the reserve. Source: README.md, "Context size". */
export function shouldCompact(context: Tokens, window: Tokens, settings: CompactionSettings): boolean {
  return settings.enabled && context > window - settings.reserveTokens;
}
