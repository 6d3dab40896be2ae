import { jsonOf } from "@/lib/agents/shared/json";
import type { Chars, Tokens } from "@/lib/core/base/units";
import { CHARS_PER_TOKEN, IMAGE_TOKENS, RESPONSE_CHARS } from "../base/constants";
import { answerOf, type Content, mediaOf, nestedParts, type Part, partsOf, responseOf } from "./content";

/** Qwen Code's estimates of text and contents. Source: README.md, "Estimates". */

/**
 * The `/context` rule: ceil(a / 4 + n × 1.5), where a counts the UTF-16 units below 128 and n the others. It rounds up once, and the sum
 * is exact in floating point.
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
