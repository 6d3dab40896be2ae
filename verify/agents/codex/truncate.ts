import type { CodexPreset } from "@/lib/agents/codex/base/presets";
import { textTokens, tokensFromBytes } from "@/lib/agents/codex/messages/tokens";
import { byteBudget, type TruncationPolicy, truncateText } from "@/lib/agents/codex/sent/truncate";
import { utf8Length } from "@/lib/core/base/characters";
import type { Tokens } from "@/lib/core/base/units";

/** A policy's limit in tokens. Bytes are rounded up in every preset, since Codex's published description does not show this function. */
export function tokenBudget(policy: TruncationPolicy): Tokens {
  return policy.mode === "tokens" ? policy.limit : tokensFromBytes(policy.limit, "release-2026-01");
}

/** A truncated text after a line about the original, in the format of a command's output. */
export function formattedTruncateText(text: string, policy: TruncationPolicy, preset: CodexPreset): string {
  if (utf8Length(text) <= byteBudget(policy)) return text;
  const warning = preset === "current" ? `Warning: truncated output (original token count: ${textTokens(text)})\n` : "";
  return `${warning}Total output lines: ${lineCount(text)}\n\n${truncateText(text, policy)}`;
}

/** Lines of a text; a final newline starts no further line. */
function lineCount(text: string): number {
  if (text === "") return 0;
  const lines = text.split("\n").length;
  return text.endsWith("\n") ? lines - 1 : lines;
}

/** A text within a token budget, and its original token count if it was truncated. */
export function truncateToTokens(text: string, limit: Tokens): readonly [text: string, original: Tokens | null] {
  const truncated = truncateText(text, { mode: "tokens", limit });
  return truncated === text ? [text, null] : [truncated, textTokens(text)];
}
