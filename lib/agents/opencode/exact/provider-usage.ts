import type { Tokens } from "@/lib/core/base/units";
import { type JsonObject, objectOf } from "../../json";

/** Tokens as opencode writes them with a response. */
export interface RecordedTokens {
  /** Absent where the provider stated none. */
  readonly total: Tokens | undefined;
  readonly input: Tokens;
  readonly output: Tokens;
  readonly reasoning: Tokens;
  readonly cache: { readonly read: Tokens; readonly write: Tokens };
}

/**
 * What is recorded of a provider's usage: the input without the cached part, and the output without reasoning. A figure that is no number, or is
 * negative, is recorded as 0. Source: README.md, "Usage".
 */
export function recordedTokens(usage: JsonObject, metadata: JsonObject): RecordedTokens {
  const details = { input: objectOf(usage.inputTokenDetails), output: objectOf(usage.outputTokenDetails) };
  const reasoning = safe(details.output.reasoningTokens ?? usage.reasoningTokens);
  const read = safe(details.input.cacheReadTokens ?? usage.cacheReadInputTokens ?? usage.cachedInputTokens);
  const write = safe(details.input.cacheWriteTokens ?? usage.cacheWriteInputTokens ?? writtenOf(metadata));
  return {
    total: typeof usage.totalTokens === "number" ? usage.totalTokens : undefined,
    input: safe(safe(usage.inputTokens) - read - write),
    output: safe(safe(usage.outputTokens) - reasoning),
    reasoning,
    cache: { read, write },
  };
}

/** What was written to the cache, where only the provider's own metadata states it. */
function writtenOf(metadata: JsonObject): unknown {
  return (
    objectOf(metadata.anthropic).cacheCreationInputTokens ??
    objectOf(metadata.vertex).cacheCreationInputTokens ??
    objectOf(objectOf(metadata.bedrock).usage).cacheWriteInputTokens ??
    objectOf(objectOf(metadata.venice).usage).cacheCreationInputTokens
  );
}

function safe(value: unknown): number {
  const number = Number(value ?? 0);
  return Number.isFinite(number) ? Math.max(0, number) : 0;
}
