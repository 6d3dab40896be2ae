/**
 * Contents as Gemini CLI holds them (the Gemini API's shape): `{ role, parts }`, where a part is a text, a call, a response or media. They come
 * from untrusted files: a value of the wrong type counts as absent.
 */
export type JsonObject = Readonly<Record<string, unknown>>;
export type Content = JsonObject;
export type Part = JsonObject;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The entries of a list that are objects; empty where the value is no list. */
export function objectsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The parts of a content that are objects. */
export function partsOf(content: Content): readonly Part[] {
  return objectsOf(content.parts);
}

export function responseOf(part: Part): JsonObject | undefined {
  return isObject(part.functionResponse) ? part.functionResponse : undefined;
}

/** Whether the part holds media, inline or linked. */
export function isMedia(part: Part): boolean {
  return isObject(part.inlineData) || isObject(part.fileData);
}

/** JSON as the program measures it; empty where a value is nested too deep for the stack. */
export function jsonOf(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, null, indent) ?? "";
  } catch {
    // JSON.parse can read deeper nesting than JSON.stringify can write: the item stays, but its size is unknown.
    return "";
  }
}
