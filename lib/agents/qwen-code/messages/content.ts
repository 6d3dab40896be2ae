import { isObject, type JsonObject, objectOf, objectsOf, textOf } from "@/lib/agents/shared/json";

/**
 * Contents as Qwen Code holds and records them (the Gemini API's shape): `{ role, parts }`, where a part is a text, a call, a response or media.
 * They come from untrusted files: a value of the wrong type counts as absent.
 */
export type Content = JsonObject;
export type Part = JsonObject;

/** The parts of a content that are objects. */
export function partsOf(content: JsonObject): readonly Part[] {
  return objectsOf(content.parts);
}

export function callOf(part: Part): JsonObject | undefined {
  return isObject(part.functionCall) ? part.functionCall : undefined;
}

export function responseOf(part: Part): JsonObject | undefined {
  return isObject(part.functionResponse) ? part.functionResponse : undefined;
}

/** The answer of a tool: an object with `output` or `error`, mostly. */
export function answerOf(response: JsonObject | undefined): JsonObject {
  return objectOf(response?.response);
}

/** The parts within a tool's response: pictures and documents. */
export function nestedParts(part: Part): readonly Part[] {
  return objectsOf(responseOf(part)?.parts);
}

/** The part's media, inline or linked. */
export function mediaOf(part: Part): JsonObject | undefined {
  if (isObject(part.inlineData)) return part.inlineData;
  return isObject(part.fileData) ? part.fileData : undefined;
}

/** True if it is a picture that the request itself holds: only these are counted and restored. */
export function isInlineImage(part: Part): boolean {
  return textOf(objectOf(part.inlineData).mimeType).startsWith("image/");
}
