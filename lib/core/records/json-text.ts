import { closingQuote, NestingError, parseJson } from "./nesting";

/** Parsing of values in texts that may be JSON. */

/** Position after the object that begins at `start`, ignoring braces within strings; −1 if it does not end. */
export function objectEnd(text: string, start: number): number {
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === QUOTE) {
      i = closingQuote(text, i);
      if (i < 0) return -1;
    } else if (unit === OPEN) depth += 1;
    else if (unit === CLOSE) {
      depth -= 1;
      if (depth === 0) return i + 1;
    }
  }
  return -1;
}

/** Position after the value that begins at `start`; −1 if it is an object or a list that does not end. The content is not checked. */
export function valueEnd(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === QUOTE) return closingQuote(text, start) + 1;
  if (first === OPEN) return objectEnd(text, start);
  if (first === OPEN_LIST) return listEnd(text, start);
  let at = start;
  while (at < text.length && !ENDS_PLAIN.test(text.charAt(at))) at += 1;
  return at;
}

/** Characters that can follow a number, `true`, `false` or `null`. */
const ENDS_PLAIN = /[\s,\]}]/;

function listEnd(text: string, start: number): number {
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === QUOTE) {
      i = closingQuote(text, i);
      if (i < 0) return -1;
    } else if (unit === OPEN_LIST) depth += 1;
    else if (unit === CLOSE_LIST) {
      depth -= 1;
      if (depth === 0) return i + 1;
    }
  }
  return -1;
}

const QUOTE = 0x22;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
export const OPEN = 0x7b;
export const CLOSE = 0x7d;

/** Stands for a value that exceeds the nesting limit. */
export const TOO_DEEP = Symbol("too deep");

/** First characters of a JSON value. This check avoids an exception, which costs as much as parsing a kilobyte of JSON. */
const BEGINS_JSON = /^[\t\n\r ]*[[{"\-0-9tfn]/;

/** Parses a text; `undefined` if it is not JSON. */
export function parsed(text: string): unknown {
  if (!BEGINS_JSON.test(text)) return undefined;
  try {
    return parseJson(text);
  } catch (error) {
    // Text that is not JSON is expected here: the caller reports the damage.
    return error instanceof NestingError ? TOO_DEEP : undefined;
  }
}

/** Position of the first character at or after `from` that is not white space. */
export function skipSpace(text: string, from: number): number {
  let i = from;
  while (i < text.length && isSpace(text.charCodeAt(i))) i += 1;
  return i;
}

/** Space, tab, line feed, vertical tab, form feed, carriage return. */
function isSpace(unit: number): boolean {
  return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d);
}
