import { grouped } from "../base/number-text";

/**
 * Rejects JSON with extreme nesting. Recursive code would run out of stack on it, and creating a value of a million levels takes seconds. So the
 * value is rejected before other code walks it, and a large text before it is parsed.
 */

/** Maximum levels of objects and lists in a value. Agents' records have about twenty. */
export const MAX_LEVELS = 1000;

/** Every level has an opening and a closing bracket, so a shorter text cannot hold a value that is too deep. */
const SHORTEST_DEEP = 2 * (MAX_LEVELS + 1);
/** Longer texts are scanned before parsing: creating a value from a text of brackets alone would take seconds and gigabytes. */
const PARSED_AT_ONCE = 1 << 22;

/** Thrown for JSON with more than `MAX_LEVELS` levels. */
export class NestingError extends Error {
  override name = "NestingError";
}

/** `JSON.parse` for untrusted texts. Throws `SyntaxError`, and `NestingError` for a value that is nested too deeply. */
export function parseJson(text: string): unknown {
  if (text.length < SHORTEST_DEEP) return JSON.parse(text);
  if (text.length > PARSED_AT_ONCE && opensTooDeep(text)) throw new NestingError(TOO_DEEP);
  const value: unknown = JSON.parse(text);
  if (isContainer(value) && isDeeper(value, MAX_LEVELS)) throw new NestingError(TOO_DEEP);
  return value;
}

const TOO_DEEP = `nested in more than ${grouped(`${MAX_LEVELS}`)} levels`;

type Container = Readonly<Record<string, unknown>> | readonly unknown[];

function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null;
}

/** True if a value has more levels than `levels`. Costs a few hundredths of the parsing time. */
function isDeeper(value: Container, levels: number): boolean {
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (const entry of value) if (isContainer(entry) && isDeeper(entry, levels - 1)) return true;
    return false;
  }
  const fields = value as Readonly<Record<string, unknown>>; // An object, since it is not a list.
  for (const key in fields) {
    const entry = fields[key];
    if (isContainer(entry) && isDeeper(entry, levels - 1)) return true;
  }
  return false;
}

/** True if more than `MAX_LEVELS` levels are open at once. Brackets in strings do not count; the text need not be JSON. */
function opensTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      at = closingQuote(text, at);
      if (at < 0) return false;
    } else if (unit === OPEN_OBJECT || unit === OPEN_LIST) {
      depth += 1;
      if (depth > MAX_LEVELS) return true;
    } else if (unit === CLOSE_OBJECT || unit === CLOSE_LIST) depth -= 1;
  }
  return false;
}

/** Position of the quote that ends the string beginning at `start`; −1 if it does not end. */
export function closingQuote(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

/** True if an odd number of backslashes precedes a position within a string. */
function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text.charCodeAt(start - 1) === BACKSLASH) start -= 1;
  return (at - start) % 2 === 1;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
