import { textOrAnyJson } from "@/lib/agents/shared/json";
import type { Tokens } from "@/lib/core/base/units";
import { tokensOfChars } from "../base/constants";

/** A message of the AI SDK (`CoreMessage`), from JSON of any shape. Source: README.md, "Messages". */
export interface CoreMessage {
  readonly role: unknown;
  /** A text, or a list of parts. */
  readonly content: unknown;
}

/** The text of a message for measuring and summarising: its content if that is a text, or its parts as JSON. */
export function measuredText({ content }: CoreMessage): string {
  return textOrAnyJson(content);
}

/** Tokens of a text. */
export function estimateTokens(text: string): Tokens {
  return tokensOfChars(text.length);
}

/** Tokens of a message, rounded up separately; the role is not counted. */
export function messageTokens(message: CoreMessage): Tokens {
  return estimateTokens(measuredText(message));
}
