import { isObject, jsonOf, objectsOf, textOf } from "@/lib/agents/shared/json";
import type { Tokens } from "@/lib/core/base/units";
import { ASCII_TOKENS, EXACT_CHARS, IMAGE_TOKENS, OTHER_TOKENS, PDF_TOKENS } from "../base/constants";
import { type Part, responseOf } from "./content";

/** Maximum depth of parts nested within a response's parts. */
const MAX_DEPTH = 3;

/**
 * Gemini CLI's own estimate of a request's parts: fractions are added up and rounded down once at the end. Only parts nested in a response are
 * rounded down separately. Source: README.md, "Tokens".
 */
export function partsTokens(parts: readonly Part[], depth = 0): Tokens {
  if (depth > MAX_DEPTH) return 0;
  let sum = 0;
  for (const part of parts) sum += partTokens(part, depth);
  return Math.floor(sum);
}

/** One part's share of the sum, not rounded. */
export function partTokens(part: Part, depth = 0): number {
  if (typeof part.text === "string") return textShare(part.text);
  if (responseOf(part) !== undefined) return responseShare(part, depth);
  return mediaTokens(part) ?? jsonOf(part).length / 4;
}

/** Tokens of a bare text. */
export function textTokens(text: string): Tokens {
  return Math.floor(textShare(text));
}

function textShare(text: string): number {
  if (text.length > EXACT_CHARS) return text.length / 4;
  let ascii = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) <= 127) ascii += 1;
  // Quarters and halves are exact in binary, so the order of the terms does not matter.
  return ascii * ASCII_TOKENS + (text.length - ascii) * OTHER_TOKENS;
}

function responseShare(part: Part, depth: number): number {
  const { name, response, parts } = responseOf(part) ?? {};
  let sum = textOf(name).length / 4;
  if (typeof response === "string") sum += response.length / 4;
  else if (response !== undefined && response !== null) sum += jsonOf(response).length / 4;
  return sum + partsTokens(objectsOf(parts), depth + 1);
}

function mediaTokens(part: Part): Tokens | undefined {
  const media = isObject(part.inlineData) ? part.inlineData : isObject(part.fileData) ? part.fileData : undefined;
  const type = textOf(media?.mimeType);
  if (type.startsWith("image/")) return IMAGE_TOKENS;
  return type === "application/pdf" ? PDF_TOKENS : undefined;
}
