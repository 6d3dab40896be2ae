import { writtenAs } from "./fields";
import { closingQuote } from "./nesting";

/**
 * Position of a value's first character in a JSON text. If a part of the path does not exist, the position of the nearest enclosing value.
 * @param text valid JSON
 */
export function placeInJson(text: string, path: readonly PropertyKey[]): number {
  let at = skipSpace(text, 0);
  for (const part of path) {
    const next = typeof part === "number" ? entryOf(text, at, part) : fieldOf(text, at, writtenAs(part));
    if (next === undefined) return at;
    at = next;
  }
  return at;
}

/** Line number of a position in a text, from 1. */
export function lineAt(text: string, at: number): number {
  let line = 1;
  for (let end = text.indexOf("\n"); end >= 0 && end < at; end = text.indexOf("\n", end + 1)) line += 1;
  return line;
}

const SPACE = /\s/;

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && SPACE.test(text[at] ?? "")) at += 1;
  return at;
}

function entryOf(text: string, list: number, wanted: number): number | undefined {
  if (text[list] !== "[") return undefined;
  let at = skipSpace(text, list + 1);
  for (let index = 0; text[at] !== "]"; index++) {
    if (index === wanted) return at;
    at = nextOf(text, endOf(text, at));
  }
  return undefined;
}

function fieldOf(text: string, object: number, wanted: string): number | undefined {
  if (text[object] !== "{") return undefined;
  let at = skipSpace(text, object + 1);
  while (text[at] === '"') {
    const end = closingQuote(text, at) + 1;
    const value = skipSpace(text, skipSpace(text, end) + 1);
    if (JSON.parse(text.slice(at, end)) === wanted) return value;
    at = nextOf(text, endOf(text, value));
  }
  return undefined;
}

/** Position after the comma that follows a value; the value's end if there is no comma. */
function nextOf(text: string, end: number): number {
  const at = skipSpace(text, end);
  return text[at] === "," ? skipSpace(text, at + 1) : at;
}

/** Position after a value. */
function endOf(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const sign = text[at] ?? "";
    if (sign === '"') at = closingQuote(text, at);
    else if (sign === "{" || sign === "[") depth += 1;
    else if (sign === "}" || sign === "]") depth -= 1;
    else if (depth > 0 || !/[\s,]/.test(sign)) continue;
    if (depth < 0 || (depth === 0 && /[\s,]/.test(sign))) return at;
    if (depth === 0 && /["}\]]/.test(sign)) return at + 1;
  }
  return text.length;
}
