import { isObject, type JsonObject, objectsOf } from "@/lib/agents/shared/json";

export { isObject, type JsonObject, jsonOf, objectsOf, textOf } from "@/lib/agents/shared/json";

/**
 * Contents as Gemini CLI holds them (the Gemini API's shape): `{ role, parts }`, where a part is a text, a call, a response or media. They come
 * from untrusted files: a value of the wrong type counts as absent.
 */
export type Content = JsonObject;
export type Part = JsonObject;

/** The parts of a content that are objects. */
export function partsOf(content: Content): readonly Part[] {
  return objectsOf(content.parts);
}

export function responseOf(part: Part): JsonObject | undefined {
  return isObject(part.functionResponse) ? part.functionResponse : undefined;
}

/** True if the part holds media, inline or linked. */
export function isMedia(part: Part): boolean {
  return isObject(part.inlineData) || isObject(part.fileData);
}
