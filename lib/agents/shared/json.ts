import { isObject, type JsonObject } from "@/lib/core/records/fields";
import { parseJson } from "@/lib/core/records/nesting";

/** Helpers for readers, which parse untrusted JSON of unknown shape. */
export { isObject, type JsonObject };

/** The value if it is an object, else an empty object. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** The entries of a list that are objects, as the list itself if all of them are; empty if the value is not a list. */
export function objectsOf(value: unknown): readonly JsonObject[] {
  if (!Array.isArray(value)) return [];
  return value.every(isObject) ? value : value.filter(isObject);
}

/** The entries of a list; empty if the value is not a list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value if it is a text, else an empty text. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The value if it is a finite number of at least 0, else `undefined`. */
export function countOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** JSON of a value; empty if the value is nested too deep for the stack. */
export function jsonOf(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, null, indent) ?? "";
  } catch {
    // JSON.parse can read deeper nesting than JSON.stringify can write: the item stays, but its size is unknown.
    return "";
  }
}

/** A text unchanged, any other value as JSON, and an empty text for an absent one. */
export function textOrJson(value: unknown): string {
  return value === null ? "" : textOrAnyJson(value);
}

/** A text unchanged, and any other value as JSON, even `null`. */
export function textOrAnyJson(value: unknown): string {
  return typeof value === "string" ? value : jsonOf(value);
}

/** The JSON value in a text; the text itself if it is not JSON. */
export function parsedOr(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text; // Not JSON: the text is the value.
  }
}

/** The arguments of a call as an object: a text that is not a JSON object, such as a truncated one, becomes its only field. */
export function argumentsOf(text: string): JsonObject {
  const value = parsedOr(text);
  return isObject(value) ? value : { input: text };
}

/**
 * A time in Unix milliseconds from any notation in use: ISO 8601, or a number of seconds or of milliseconds. Does not check that the time is
 * plausible.
 */
export function timeOf(value: unknown): number | undefined {
  if (typeof value === "string" && /^\d{4}-\d\d-\d\d/.test(value)) return finite(Date.parse(value));
  if (typeof value !== "number" || !(value >= SECONDS_FROM)) return undefined;
  return value < SECONDS_BELOW ? Math.round(value * 1000) : value;
}

/** Smallest number read as seconds since 1970 (in 2001-09); smaller ones may be anything, such as a duration. */
const SECONDS_FROM = 1e9;
/** Upper bound of numbers read as seconds: as milliseconds they would be before March 1973. */
const SECONDS_BELOW = 1e11;

function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}
