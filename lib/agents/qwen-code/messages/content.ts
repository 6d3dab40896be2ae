/**
 * Contents as Qwen Code holds and records them (the Gemini API's shape): `{ role, parts }`, where a part is a text, a call, a response or media.
 * They come from untrusted files: a value of the wrong type counts as absent.
 */
export type JsonObject = Readonly<Record<string, unknown>>;
export type Content = JsonObject;
export type Part = JsonObject;

const NO_PARTS: readonly Part[] = [];
const NOTHING: JsonObject = {};

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value if it is an object, else an empty object. */
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

/** The entries of a list that are objects; the list itself where all of them are. */
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

/** Whether it is a picture that the request itself holds: only these are counted and restored. */
export function isInlineImage(part: Part): boolean {
  return textOf(objectOf(part.inlineData).mimeType).startsWith("image/");
}

/** Whether it is a model content that calls a tool. */
export function isCallContent(content: Content | undefined): boolean {
  return content?.role === "model" && partsOf(content).some((part) => callOf(part) !== undefined);
}

/** JSON as the program measures it; empty where a value is nested too deep for the stack. */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    // JSON.parse can read deeper nesting than JSON.stringify can write: the item stays, but its size is unknown.
    return "";
  }
}
