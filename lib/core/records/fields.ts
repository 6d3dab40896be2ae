import type { Bytes, LineNumber } from "../base/units";

/** One JSON object of the file, and its position. A line with several objects gives several records with the same line number. */
export interface SourceRecord {
  readonly value: Readonly<Record<string, unknown>>;
  readonly line: LineNumber;
  readonly offset: Bytes;
  readonly length: Bytes;
}

/** Key path from a document to the list of its records. */
export type DocumentList = readonly string[];

/**
 * Readers for fields of records in other programs' formats. A value of an unexpected type counts as missing. The checks are written by hand, since a
 * schema library takes longer to check a record than `JSON.parse` takes to create it.
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

/** Reads a finite number. `1e999` parses as Infinity and counts as missing. */
export function numberField(value: unknown): number | undefined {
  return Number.isFinite(value) ? (value as number) : undefined; // `isFinite` is false for anything but a number.
}

/** Reads any number, Infinity included, for callers that check the range themselves. */
export function anyNumberField(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** Reads an integer of at least 0. */
export function countField(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** Reads a list of strings; empty if any entry is not a string. */
export function textsField(value: unknown): readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string") ? value : [];
}

/** Looks up a name from a file in a table. The name may be one that every object inherits, such as `constructor`. */
export function entryOf<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Converts any value to text. `String` throws for an object with a field named `toString`. */
export function writtenAs(value: unknown): string {
  if (Array.isArray(value)) return value.map((entry) => (entry === null ? "" : writtenAs(entry))).join(",");
  if (typeof value === "object" && value !== null) return "[object Object]";
  return String(value);
}
