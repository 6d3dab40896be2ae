export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** JSON of a value as the program measures it; nothing where it has none, or is nested deeper than the stack. */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    // JSON.parse reads what JSON.stringify cannot: the item stays, its size is unknown.
    return "";
  }
}

/** A text as it is, anything else as JSON. */
export function textOrJson(value: unknown): string {
  return typeof value === "string" ? value : jsonOf(value);
}
