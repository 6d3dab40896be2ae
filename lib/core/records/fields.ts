import type { Bytes, LineNumber } from "../base/units";

/** One JSON object of the file, and its place. A line with several objects gives several records with the same line number. */
export interface SourceRecord {
  readonly value: Readonly<Record<string, unknown>>;
  readonly line: LineNumber;
  readonly offset: Bytes;
  readonly length: Bytes;
}

/** Keys that lead from a document to the list of its records. */
export type DocumentList = readonly string[];

/**
 * Reads fields of records whose format is not ours: a value of an unexpected type counts as missing. The checks are written by hand, since a schema
 * library takes longer to look at a record than `JSON.parse` takes to make it.
 */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function objectField(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

export function textField(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function flagField(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

/** A finite number: `1e999` reads as Infinity. */
export function numberField(value: unknown): number | undefined {
  return Number.isFinite(value) ? (value as number) : undefined; // isFinite is false for anything but a number
}

/** Any number, even one that no double holds (Infinity): for callers that judge it themselves. */
export function anyNumberField(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** A whole number of at least 0. */
export function countField(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** A list of texts; empty if any entry is not a text. */
export function textsField(value: unknown): readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string") ? value : [];
}

/** The entry of a table under a name from a file, which may be one that every object has, such as `constructor`. */
export function entryOf<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** A value of any kind as JavaScript writes it into a text; `String` throws where a field of an object is named `toString`. */
export function writtenAs(value: unknown): string {
  if (Array.isArray(value)) return value.map((entry) => (entry === null ? "" : writtenAs(entry))).join(",");
  if (typeof value === "object" && value !== null) return "[object Object]";
  return String(value);
}
