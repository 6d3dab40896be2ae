import type { Bytes } from "../base/units";
import { utf8Length } from "../tokens/characters";
import { objectEnd } from "./jsonl";
import type { SourceRecord } from "./reader";

/** Files that are one JSON value instead of lines: an object (an export), or a list of objects (a message history). */

/**
 * Whether a file's beginning promises one document: a list, or an object that does not end on its first line. What looks
 * like one and is none (a first line that is cut off) is read as lines after all.
 */
export function looksLikeDocument(head: string): boolean {
  const text = head.replace(/^\ufeff?[\t\n\r ]*/, "");
  if (text.startsWith("[")) return true;
  const end = text.indexOf("\n");
  return text.startsWith("{") && end >= 0 && objectEnd(text.slice(0, end), 0) < 0;
}

/**
 * Whether a beginning that looks like a document holds a line that is an object all the same, as in lines of which the first is
 * damaged. The last line of the beginning may be cut.
 */
export function holdsWholeLines(head: string): boolean {
  return head
    .split("\n")
    .slice(1, -1)
    .some((line) => isObject(parsed(line)));
}

/**
 * The records of a document: the object itself, or a list's objects, each with its own place. `undefined` where the text is
 * not one JSON value, or a list of anything but objects.
 * @param bytes length of the text as it lies in the file, where the caller has it: counting takes longer than parsing
 */
export function recordsOfDocument(text: string, bytes: Bytes = utf8Length(text)): readonly SourceRecord[] | undefined {
  const value = parsed(text);
  if (isObject(value)) {
    const start = text.indexOf("{");
    const offset = utf8Length(text.slice(0, start));
    // What may stand behind a JSON value is a byte a character.
    return [{ value, line: 1, offset, length: bytes - offset - (text.length - text.trimEnd().length) }];
  }
  return Array.isArray(value) && value.every(isObject) ? placed(text, value) : undefined;
}

/** Places of a list's objects: found by walking the text, whose values are known to be sound. */
function placed(text: string, values: readonly SourceRecord["value"][]): readonly SourceRecord[] {
  let at = text.indexOf("[") + 1;
  let offset = utf8Length(text.slice(0, at));
  let line = 1 + newlines(text.slice(0, at));
  return values.map((value) => {
    const start = text.indexOf("{", at);
    const end = objectEnd(text, start);
    const between = text.slice(at, start);
    offset += utf8Length(between);
    line += newlines(between);
    const record = { value, line, offset, length: utf8Length(text.slice(start, end)) };
    offset += record.length;
    line += newlines(text.slice(start, end));
    at = end;
    return record;
  });
}

function newlines(text: string): number {
  return text.split("\n").length - 1;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch {
    return undefined; // not one document: the caller reads lines
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
