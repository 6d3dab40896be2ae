import type { Tokens } from "@/lib/core/base/units";
import type { JsonObject } from "./value";

/** Usage of a provider, under one set of names. Source: README.md, "Usage"; openclaw@2026.2.1, agents/usage. */
export interface NormalizedUsage {
  readonly input: Tokens | undefined;
  readonly output: Tokens | undefined;
  readonly cacheRead: Tokens | undefined;
  readonly cacheWrite: Tokens | undefined;
  readonly total: Tokens | undefined;
}

const NAMES = {
  input: ["input", "inputTokens", "input_tokens", "promptTokens", "prompt_tokens"],
  output: ["output", "outputTokens", "output_tokens", "completionTokens", "completion_tokens"],
  cacheRead: ["cacheRead", "cache_read", "cache_read_input_tokens"],
  cacheWrite: ["cacheWrite", "cache_write", "cache_creation_input_tokens"],
  total: ["total", "totalTokens", "total_tokens"],
} as const satisfies Record<keyof NormalizedUsage, readonly string[]>;

/** All names of usage fields. */
export const USAGE_NAMES: readonly string[] = Object.values(NAMES).flat();

/** The value under the first of a field's names that is present, of any type. */
export function usageField(raw: JsonObject, key: keyof NormalizedUsage): unknown {
  return NAMES[key].map((name) => raw[name]).find(isPresent);
}

export function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}
