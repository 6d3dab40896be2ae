import { utf8Length } from "../base/characters";
import type { Bytes } from "../base/units";
import type { DocumentList, SourceRecord } from "../records/fields";
import { isObject } from "./fields";
import { objectEnd, valueEnd } from "./json-text";
import { recordsOfLine } from "./jsonl";
import { closingQuote, NestingError, parseJson } from "./nesting";

/**
 * Files that are one JSON value instead of lines: an object (an export), a list of objects (a message history), or an object around a list of records
 * (a HAR).
 */

/**
 * True if a file's beginning looks like one document: a list, an object that continues after the first line, or an object that begins with the
 * key of a list of records. A wrong guess (the first line is only cut off) is harmless: the file is then read as lines.
 */
export function looksLikeDocument(head: string, lists: readonly DocumentList[] = []): boolean {
  const text = head.replace(/^\ufeff?[\t\n\r ]*/, "");
  if (text.startsWith("[")) return true;
  const [, first] = /^\{[\t ]*"(\w{1,40})"[\t ]*:[\t ]*\{/.exec(text) ?? [];
  if (lists.some(([key]) => key === first)) return true;
  const end = text.indexOf("\n");
  return text.startsWith("{") && end >= 0 && objectEnd(text.slice(0, end), 0) < 0;
}

/**
 * True if a beginning that looks like a document holds a whole line that is an object. This happens if only the first line is damaged. The last
 * line of the beginning may be cut off.
 */
export function holdsWholeLines(head: string): boolean {
  return head.split("\n").slice(1, -1).some(isRecord);
}

function isRecord(text: string): boolean {
  const { records, damage } = recordsOfLine({ line: 1, offset: 0, length: 0, text });
  return records.length > 0 && damage === undefined;
}

/**
 * Returns the records of a document: the object itself, or a list's objects, each with its own offset. Returns `undefined` if the text is not one
 * JSON value, or is a list that holds anything but objects. Throws `NestingError` if the value is nested too deeply.
 * @param lists keys of the lists that hold the records in documents of this format
 * @param bytes length of the text in the file, if the caller knows it: counting takes longer than parsing
 */
export function recordsOfDocument(
  text: string,
  lists: readonly DocumentList[] = [],
  bytes: Bytes = utf8Length(text),
): readonly SourceRecord[] | undefined {
  const value = parsed(text);
  if (isObject(value)) {
    for (const keys of lists) {
      const list = keys.reduce<unknown>((within, key) => (isObject(within) ? within[key] : undefined), value);
      if (isObjects(list) && list.length > 0) return withOffsets(text, list, valueAt(text, keys));
    }
    const start = text.indexOf("{");
    const offset = utf8Length(text.slice(0, start));
    // Only white space can follow a JSON value, with one byte per character.
    return [{ value, line: 1, offset, length: bytes - offset - (text.length - text.trimEnd().length) }];
  }
  return isObjects(value) ? withOffsets(text, value, text.indexOf("[")) : undefined;
}

/** Position of the value at a key path. If a key occurs twice, the last one counts, as in `JSON.parse`. */
function valueAt(text: string, keys: DocumentList): number {
  return keys.reduce((object, key) => memberAt(text, object, key), text.indexOf("{"));
}

/** Position of a member's value in the object that begins at `start`. The text must be valid and hold the member. */
function memberAt(text: string, start: number, key: string): number {
  let found = start;
  for (let at = skipSpace(text, start + 1); text[at] !== "}" && at < text.length; ) {
    const quote = closingQuote(text, at);
    const value = skipSpace(text, quote + 1, ":");
    if (JSON.parse(text.slice(at, quote + 1)) === key) found = value;
    at = skipSpace(text, valueEnd(text, value), ",");
  }
  return found;
}

/** Position after white space, and after one `mark` if it comes next. */
function skipSpace(text: string, start: number, mark?: string): number {
  let at = start;
  while (" \t\r\n".includes(text.charAt(at)) && at < text.length) at += 1;
  return mark !== undefined && text[at] === mark ? skipSpace(text, at + 1) : at;
}

/** Adds the offsets of a list's objects by walking the text from the list's start. Its values must be valid. */
function withOffsets(text: string, values: readonly SourceRecord["value"][], start: number): readonly SourceRecord[] {
  let at = start + 1;
  let offset = utf8Length(text.slice(0, at));
  let line = 1 + newlines(text.slice(0, at));
  return values.map((value) => {
    const opened = text.indexOf("{", at);
    const end = objectEnd(text, opened);
    const between = text.slice(at, opened);
    offset += utf8Length(between);
    line += newlines(between);
    const record = { value, line, offset, length: utf8Length(text.slice(opened, end)) };
    offset += record.length;
    line += newlines(text.slice(opened, end));
    at = end;
    return record;
  });
}

function newlines(text: string): number {
  return text.split("\n").length - 1;
}

/** Parses the text. Throws `NestingError` if the value is nested too deeply. */
function parsed(text: string): unknown {
  const json = text.startsWith("\ufeff") ? text.slice(1) : text;
  try {
    return parseJson(json);
  } catch (error) {
    if (error instanceof NestingError && isOneValue(json)) throw error;
    return undefined; // Not one document: the caller reads lines.
  }
}

/** True if nothing follows the value that the text begins with. */
function isOneValue(text: string): boolean {
  const end = valueEnd(text, skipSpace(text, 0));
  return end > 0 && text.slice(end).trim() === "";
}

function isObjects(value: unknown): value is readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) && value.every(isObject);
}
