/**
 * Contents as Gemini CLI holds them (the Gemini API's shape): `{ role, parts }`, a part being a text, a call, a response or
 * media. They come from files and are read as they are: whatever is not what it should be is not there.
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

/** The entries of a list that are objects; none where it is no list. */
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

/** Whether the part carries media, within the request or linked. */
export function isMedia(part: Part): boolean {
  return isObject(part.inlineData) || isObject(part.fileData);
}

/** JSON as the program measures it; empty where a value is nested deeper than the stack. */
export function jsonOf(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, null, indent) ?? "";
  } catch {
    // JSON.parse reads deeper than JSON.stringify writes: the item stays, its size is unknown.
    return "";
  }
}
