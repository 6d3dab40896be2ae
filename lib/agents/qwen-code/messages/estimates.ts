import { type JsonObject, jsonOf } from "@/lib/agents/shared/json";
import type { Chars, Tokens } from "@/lib/core/base/units";
import { CHARS_PER_TOKEN, IMAGE_TOKENS, RESPONSE_CHARS } from "../base/constants";
import { answerOf, type Content, mediaOf, nestedParts, type Part, partsOf, responseOf } from "./content";

/** Qwen Code's estimates of text and contents. Source: README.md, "Estimates". */

/**
 * The `/context` rule: ceil(a / 4 + n × 1.5), where a counts the UTF-16 units below 128 and n the others. It rounds up once, and binary fractions
 * hold the sum exactly.
 */
export function contextTextTokens(text: string): Tokens {
  let others = 0;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) >= 128) others += 1;
  return Math.ceil((text.length - others) / 4 + others * 1.5);
}

/** Characters of a part: media have a fixed size, a response counts its text and 64, any other part its JSON. */
export function partChars(part: Part, imageTokens: Tokens = IMAGE_TOKENS): Chars {
  if (mediaOf(part) !== undefined) return imageTokens * CHARS_PER_TOKEN;
  if (typeof part.text === "string") return part.text.length;
  const response = responseOf(part);
  if (response === undefined) return jsonOf(part).length;
  const { output, error } = answerOf(response);
  const text = typeof output === "string" ? output : typeof error === "string" ? error : "";
  const nested = nestedParts(part).reduce((sum, inner) => sum + partChars(inner, imageTokens), 0);
  return text.length + nested + RESPONSE_CHARS;
}

/** The sum over the parts of a content. */
export function contentChars(content: Content, imageTokens: Tokens = IMAGE_TOKENS): Chars {
  return partsOf(content).reduce((sum, part) => sum + partChars(part, imageTokens), 0);
}

/** The compaction rule of `current`: all characters divided by four, rounded up once over everything given. Chinese has no extra weight. */
export function contentTokens(contents: readonly Content[], imageTokens: Tokens = IMAGE_TOKENS): Tokens {
  const chars = contents.reduce((sum, content) => sum + contentChars(content, imageTokens), 0);
  return Math.ceil(chars / CHARS_PER_TOKEN);
}

interface PromptEstimate {
  readonly history: readonly Content[];
  readonly userMessage: Content;
  /** 0 before any response was counted. */
  readonly lastPrompt: Tokens;
  readonly lastOutput?: Tokens;
  readonly imageTokens?: Tokens;
  /** Counts the new content one and a half times; no effect without a last prompt. */
  readonly conservative?: boolean;
}

const CONSERVATIVE_FACTOR = 1.5;

/** Size of the next request: the last usage plus the new content, or an estimate of everything. */
export function promptTokens(estimate: PromptEstimate): Tokens {
  const { history, userMessage, lastPrompt, lastOutput = 0, imageTokens = IMAGE_TOKENS } = estimate;
  if (!(lastPrompt > 0)) return contentTokens([...history, userMessage], imageTokens);
  const added = contentTokens([userMessage], imageTokens);
  return lastPrompt + lastOutput + (estimate.conservative === true ? Math.ceil(added * CONSERVATIVE_FACTOR) : added);
}

/** Output of a response for that estimate: the total without the prompt; without a total the candidates, plus the thoughts if they are separate. */
export function outputTokens(usage: JsonObject | undefined): Tokens {
  const { promptTokenCount: prompt, totalTokenCount: total } = usage ?? {};
  if (typeof prompt !== "number") return 0;
  if (typeof total === "number") return Math.max(0, total - prompt);
  const candidates = atLeastZero(usage?.candidatesTokenCount);
  const thoughts = atLeastZero(usage?.thoughtsTokenCount);
  return candidates > thoughts ? candidates : candidates + thoughts;
}

function atLeastZero(value: unknown): number {
  return typeof value === "number" ? Math.max(0, value) : 0;
}
