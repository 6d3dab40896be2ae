export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object, or an empty one. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The entries of a list that are objects; none where it is no list. */
export function objectsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** A number of at least 0, or none. */
export function countOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
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
