export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The JSON of a value, as JSON.stringify writes it; empty where it cannot be written. */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    // Nested deeper than the stack: JSON.parse reads it, JSON.stringify cannot. Its size is unknown.
    return "";
  }
}
