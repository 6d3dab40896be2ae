import { parseJson } from "@/lib/core/transcript/nesting";

/** JSON of any shape, taken apart: for readers, whose input is untrusted. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object, or an empty one. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** The entries of a list that are objects; none where it is no list. */
export function objectsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** The text, or an empty one. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** A finite number of at least 0, or none. */
export function countOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** JSON of a value; empty where it is nested deeper than the stack. */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    // JSON.parse reads deeper than JSON.stringify writes: the item stays, its size is unknown.
    return "";
  }
}

/** A text as it is; anything else as JSON; nothing for what is absent. */
export function textOrJson(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : jsonOf(value);
}

/** The JSON value of a text; the text itself where it is none. */
export function parsedOr(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text; // A text that is no JSON means itself.
  }
}

/** A time as it is written: ISO 8601, or a number of seconds or of milliseconds. Whether it can be one is not judged here. */
export function timeOf(value: unknown): number | undefined {
  if (typeof value === "string" && /^\d{4}-\d\d-\d\d/.test(value)) return finite(Date.parse(value));
  if (typeof value !== "number" || !(value >= SECONDS_FROM)) return undefined;
  return value < SECONDS_BELOW ? Math.round(value * 1000) : value;
}

/** Numbers from here on are seconds since 2001-09; smaller ones may be anything, such as a duration. */
const SECONDS_FROM = 1e9;
/** Numbers below are seconds: as milliseconds they would lie before March 1973. */
const SECONDS_BELOW = 1e11;

function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}
