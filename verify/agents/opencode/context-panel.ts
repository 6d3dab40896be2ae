import type { SessionMessage } from "@/lib/agents/opencode/messages/message";
import { ARGUMENT_CHARS, PANEL_KEYS, type PanelKey, panelShares } from "@/lib/agents/opencode/report/panel-shares";
import { type JsonObject, objectOf, textOf } from "@/lib/agents/shared/json";
import type { Chars, Tokens } from "@/lib/core/base/units";

/** A segment of the app's context panel. */
interface PanelSegment {
  readonly key: PanelKey;
  readonly tokens: Tokens;
  /** Percentage of the input: `width` is exact, `percent` has one decimal place. */
  readonly width: number;
  readonly percent: number;
}

/**
 * The app's context panel. It shows, by characters, the parts of the last response's uncached input, and as `other` the part outside the session.
 * Estimates that are too large are scaled down. Source: README.md, "Context panel".
 */
export function contextPanel(
  messages: readonly SessionMessage[],
  input: Tokens,
  systemPrompt: string | undefined,
): readonly PanelSegment[] {
  if (!input) return [];
  const chars = { system: systemPrompt?.length ?? 0, user: 0, assistant: 0, tool: 0 };
  for (const { info, parts } of messages) {
    for (const part of parts) {
      if (info.role === "user") chars.user += userChars(part);
      else if (part.type === "tool") chars.tool += toolChars(part);
      else if (part.type === "text" || part.type === "reasoning") chars.assistant += textOf(part.text).length;
    }
  }
  const shares = panelShares(chars, input);
  return [...PANEL_KEYS, "other" as const]
    .map((key) => segment(key, shares[key], input))
    .filter((one) => one.tokens > 0);
}

function segment(key: PanelKey, tokens: Tokens, input: Tokens): PanelSegment {
  return { key, tokens, width: (tokens / input) * 100, percent: Math.round((tokens / input) * 1000) / 10 };
}

function userChars(part: JsonObject): Chars {
  if (part.type === "text") return textOf(part.text).length;
  const source = objectOf(part.source);
  if (part.type === "file") return textOf(objectOf(source.text).value).length;
  return part.type === "agent" ? textOf(source.value).length : 0;
}

function toolChars(part: JsonObject): Chars {
  const state = objectOf(part.state);
  const text = { completed: state.output, error: state.error, pending: state.raw }[textOf(state.status)];
  return Object.keys(objectOf(state.input)).length * ARGUMENT_CHARS + textOf(text).length;
}
