import {
  answerOf,
  type Content,
  callOf,
  mediaOf,
  type Part,
  partsOf,
  responseOf,
} from "@/lib/agents/qwen-code/messages/content";
import { isObject, type JsonObject, textOf } from "@/lib/agents/shared/json";
import type { Chars } from "@/lib/core/base/units";

/** Input of the summary call of `current`: no media, and shortened texts if the request was too large. */

/**
 * If the provider refused a request for its size, texts are truncated to this length. Source: README.md, "Compaction of 0.24.4".
 */
export const PAYLOAD_TEXT_CHARS: Chars = 4_000;

const CUT_MARK = "\n[...truncated for compaction]";
const MAX_MIME_CHARS = 128;

/** A media type in a form that may be written within brackets. Source: README.md, "Cleared results". */
export function printableMime(mime: string): string {
  return mime
    .replace(/[\r\n\t]+/g, " ")
    .replace(/[[\]]/g, "")
    .trim()
    .slice(0, MAX_MIME_CHARS);
}

/**
 * The history with placeholders instead of media.
 * @param textChars if given, texts are truncated to this length
 */
export function slimmed(history: readonly Content[], textChars?: Chars): readonly Content[] {
  return history.map((content) => ({
    ...content,
    parts: partsOf(content).map((part) => slimmedPart(part, textChars)),
  }));
}

function slimmedPart(part: Part, textChars: Chars | undefined): Part {
  const media = mediaOf(part);
  if (media !== undefined) return placeholder(textOf(media.mimeType) || "application/octet-stream");
  const cut = (value: unknown) => (typeof value === "string" ? cutText(value, textChars) : value);
  const response = responseOf(part);
  const call = callOf(part);
  return {
    ...part,
    ...(typeof part.text === "string" ? { text: cut(part.text) } : {}),
    ...(response === undefined ? {} : { functionResponse: slimmedResponse(response, cut, textChars) }),
    ...(call === undefined || !isObject(call.args) ? {} : { functionCall: { ...call, args: slimmedArgs(call, cut) } }),
  };
}

type Cut = (value: unknown) => unknown;

function slimmedResponse(response: JsonObject, cut: Cut, textChars: Chars | undefined): JsonObject {
  const answer = answerOf(response);
  const texts = Object.fromEntries(
    ["output", "error"].filter((key) => Object.hasOwn(answer, key)).map((key) => [key, cut(answer[key])]),
  );
  return {
    ...response,
    ...(isObject(response.response) ? { response: { ...answer, ...texts } } : {}),
    ...(Array.isArray(response.parts)
      ? { parts: response.parts.filter(isObject).map((part) => slimmedPart(part, textChars)) }
      : {}),
  };
}

/** Cuts the texts among a call's arguments, and among those of the tool that a `tool_call` names. */
function slimmedArgs(call: JsonObject, cut: Cut): JsonObject {
  const args = Object.entries(isObject(call.args) ? call.args : {}).map(([key, value]) => {
    const inner = call.name === "tool_call" && key === "arguments" && isObject(value) ? value : undefined;
    if (inner === undefined) return [key, cut(value)] as const;
    return [key, Object.fromEntries(Object.entries(inner).map(([name, arg]) => [name, cut(arg)]))] as const;
  });
  return Object.fromEntries(args);
}

function placeholder(mime: string): Part {
  return { text: `[${mime.startsWith("image/") ? "image" : "document"}: ${printableMime(mime)}]` };
}

/** Cuts a text, but never within a surrogate pair. */
function cutText(text: string, textChars: Chars | undefined): string {
  if (textChars === undefined || text.length <= textChars) return text;
  const last = text.charCodeAt(textChars - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? textChars - 1 : textChars) + CUT_MARK;
}
