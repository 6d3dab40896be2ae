/**
 * Contents as Qwen Code holds and records them (the Gemini API's shape): `{ role, parts }`, a part being a text, a call, a
 * response or media. They come from files and are read as they are: whatever is not what it should be is not there.
 */
export type JsonObject = Readonly<Record<string, unknown>>;
export type Content = JsonObject;
export type Part = JsonObject;

const NO_PARTS: readonly Part[] = [];
const NOTHING: JsonObject = {};

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object, or an empty one. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : NOTHING;
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The parts of a content that are objects. */
export function partsOf(content: JsonObject): readonly Part[] {
  return objectsOf(content.parts);
}

/** The entries of a list that are objects; a list of nothing else is given as it is. */
export function objectsOf(value: unknown): readonly JsonObject[] {
  if (!Array.isArray(value)) return NO_PARTS;
  return value.every(isObject) ? value : value.filter(isObject);
}

export function callOf(part: Part): JsonObject | undefined {
  return isObject(part.functionCall) ? part.functionCall : undefined;
}

export function responseOf(part: Part): JsonObject | undefined {
  return isObject(part.functionResponse) ? part.functionResponse : undefined;
}

/** What a tool answered: `output` or `error`, mostly. */
export function answerOf(response: JsonObject | undefined): JsonObject {
  return objectOf(response?.response);
}

/** Parts within a tool's response: pictures and documents. */
export function nestedParts(part: Part): readonly Part[] {
  return objectsOf(responseOf(part)?.parts);
}

/** Inline or linked media. */
export function mediaOf(part: Part): JsonObject | undefined {
  if (isObject(part.inlineData)) return part.inlineData;
  return isObject(part.fileData) ? part.fileData : undefined;
}

/** Whether it is a picture within the request itself: only these are counted and put back. */
export function isInlineImage(part: Part): boolean {
  return textOf(objectOf(part.inlineData).mimeType).startsWith("image/");
}

/** A model's content that calls a tool. */
export function isCallContent(content: Content | undefined): boolean {
  return content?.role === "model" && partsOf(content).some((part) => callOf(part) !== undefined);
}

/** JSON as the program measures it; empty where a value is nested deeper than the stack. */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    // JSON.parse reads deeper than JSON.stringify writes: the item stays, its size is unknown.
    return "";
  }
}
