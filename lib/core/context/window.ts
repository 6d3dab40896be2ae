import type { Tokens } from "../base/units";
import type { ContextWindow } from "../transcript/model";

/** A model family's context window. The entries are dated, since windows change; the user's choice and the recording come first. */
interface KnownWindow {
  /** Start of the model's name as recorded, without the provider. */
  readonly prefix: string;
  readonly tokens: Tokens;
  readonly source: string;
}

/** The longest prefix wins. As of 2026-11. */
const KNOWN_WINDOWS: readonly KnownWindow[] = [
  {
    prefix: "claude-",
    tokens: 200_000,
    source: "Anthropic model overview; 1M only as an opt-in that files do not record",
  },
  { prefix: "gpt-5", tokens: 272_000, source: "openai/codex, the list of models: all carry 272,000" },
  {
    prefix: "gpt-5.3-codex-spark",
    tokens: 128_000,
    source: "recordings of Codex 0.142.2: an effective window of 121,600, which is 95 % of it",
  },
  { prefix: "gemini-", tokens: 1_048_576, source: "google-gemini/gemini-cli, packages/core/src/core/tokenLimits.ts" },
  { prefix: "qwen3-coder", tokens: 1_000_000, source: "QwenLM/qwen-code, packages/core/src/core/tokenLimits.ts" },
];

/** What is known about a session's window. */
export interface WindowFacts {
  readonly user?: Tokens | undefined;
  readonly recorded?: Tokens | undefined;
  readonly models: readonly string[];
  /** Largest recorded context, if any. */
  readonly observed?: Tokens | undefined;
  readonly byDefault: Tokens;
}

/**
 * The context window and the rule that decided it, in this order: the user's choice, the recording, the model table, the largest context observed (a
 * lower bound), the agent's default. A table value below what was observed is ignored.
 * Source: docs/method.md, "Reading a recording".
 */
export function resolveWindow(facts: WindowFacts): ContextWindow {
  if (facts.user !== undefined) return { tokens: facts.user, source: "user" };
  if (facts.recorded !== undefined) return { tokens: facts.recorded, source: "recorded" };
  const observed = facts.observed ?? 0;
  const known = facts.models.map(knownWindow).filter((tokens) => tokens !== undefined);
  const largest = Math.max(0, ...known);
  if (largest >= observed && largest > 0) return { tokens: largest, source: "known-model" };
  if (observed > facts.byDefault || largest > 0) return { tokens: observed, source: "inferred" };
  return { tokens: facts.byDefault, source: "default" };
}

/** The table's window of a model; `undefined` where it is not listed. */
export function knownWindow(model: string): Tokens | undefined {
  return familyOf(model)?.tokens;
}

/** The beginning of a model's name by which the table knows its window; `undefined` where it is not listed. */
export function knownWindowPrefix(model: string): string | undefined {
  return familyOf(model)?.prefix;
}

function familyOf(model: string): KnownWindow | undefined {
  const name = model.slice(model.lastIndexOf("/") + 1);
  const matches = KNOWN_WINDOWS.filter((entry) => name.startsWith(entry.prefix));
  return matches.sort((a, b) => b.prefix.length - a.prefix.length)[0];
}
