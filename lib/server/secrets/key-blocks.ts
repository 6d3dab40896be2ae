import type { Finding } from "./finding";

/**
 * Private keys of several lines (PEM, OpenSSH, PGP, PuTTY), whole or cut: with numbers, diff signs, quotes or comment marks before their lines, and with line breaks that are escaped.
 */

/** Name of this rule, as `rule` of a mask. */
export const KEY_BLOCK = "keyBlock";

const BEGIN = /-----? ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-----?|Private-Lines: \d{1,4}|openssh-key-v1/g;
const END = /-----? ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-----?/g;
/** Maximum length of a key: 16,384 bits of RSA take 13,000 characters, and numbers before its lines a few thousand. */
const MAX_BLOCK_CHARS = 40_000;
/** Maximum length of a line of a key's body. */
const LINE = 20_000;
/** A line break, plain or escaped. */
const BREAK = /\r?\n|\\{1,4}r\\{1,4}n|\\{1,4}n/g;
/** Prefixes of a line: numbers, diff and comment signs, quotes. */
const BEFORE = /^[ \t]*(?:[\w./-]{1,200}[:-]\d{1,6}[:-])?(?:\d{1,6}[ \t]*[→:|\t.)-]?[ \t]*)?[+\-|>#*/;"'`,[\s]*/;
/** Characters after the body of a line. */
const LINE_ENDINGS = new Set(".…\"'`,;+\\)] \t\r");
/** Headers of an encrypted key and of a PGP block. */
const HEADER = /^(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|Key-Info|Private-MAC|Encryption|MessageID)\b/;
/** Minimum characters of a line of the body; a last one may be shorter. */
const BODY = 16;
const LETTERS = /^[A-Za-z0-9+/=_-]+$/;

/** Private keys of a text. */
export function keyBlocks(text: string): readonly Finding[] {
  const found: Finding[] = [];
  let doneTo = 0;
  const ends = [...text.matchAll(END)].map(({ index, 0: marker }) => ({ from: index, to: index + marker.length }));
  let next = 0;
  for (const { index, 0: marker } of text.matchAll(BEGIN)) {
    if (index < doneTo) continue;
    const start = index + marker.length;
    while ((ends[next]?.from ?? Number.POSITIVE_INFINITY) < start) next++;
    const end = ends[next];
    const to =
      end !== undefined && end.from - start <= MAX_BLOCK_CHARS && holdsKey(text.slice(start, end.from))
        ? end.to
        : bodyEnd(text, start);
    if (to === undefined) continue;
    found.push({ rule: KEY_BLOCK, from: index, to });
    doneTo = to;
  }
  const covered = new Set(found.map((one) => one.to));
  let before = 0;
  for (const { from, to } of ends) {
    const begin = covered.has(to) ? undefined : bodyBegin(text, Math.max(before, from - MAX_BLOCK_CHARS), from);
    if (begin !== undefined) found.push({ rule: KEY_BLOCK, from: begin, to });
    before = to;
  }
  return found;
}

/** True if there is a key between two markers, and not only dots or a name. */
function holdsKey(inside: string): boolean {
  if (inside.includes("-----BEGIN")) return false;
  for (const { body } of linesOf(inside)) if (isBody(body) || body.split(/\s/).some(isBody)) return true;
  return false;
}

interface Line {
  readonly body: string;
  /** End of the line in the original text. */
  readonly end: number;
  readonly start: number;
}

function* linesOf(text: string): Generator<Line> {
  let start = 0;
  for (const { index, 0: marker } of text.matchAll(BREAK)) {
    yield { body: bodyOf(text, start, index), start, end: index };
    start = index + marker.length;
  }
  yield { body: bodyOf(text, start, text.length), start, end: text.length };
}

/** A line without the characters around its body. */
function bodyOf(text: string, start: number, lineEnd: number): string {
  let end = Math.min(lineEnd, start + LINE);
  while (end > start && LINE_ENDINGS.has(text.charAt(end - 1))) end--;
  return text.slice(start, end).replace(BEFORE, "");
}

function isBody(line: string): boolean {
  return line.length >= BODY && LETTERS.test(line) && /\d|[+/=]/.test(line) && /[A-Za-z]/.test(line);
}

/** End of the body of a truncated key; `undefined` if there is none. */
function bodyEnd(text: string, from: number): number | undefined {
  let end: number | undefined;
  for (const line of linesOf(text.slice(from, from + MAX_BLOCK_CHARS))) {
    const first = line.body.split(/\s/, 1)[0] ?? "";
    if (isBody(line.body) || (end !== undefined && isShortEnd(line.body))) end = from + line.end;
    else if (isBody(first))
      return from + line.start + bodyLength(text.slice(from + line.start, from + line.end), first);
    else if (line.body !== "" && !HEADER.test(line.body)) break;
  }
  return end;
}

/** Length of a body within a line, whose parts may be separated by spaces. */
function bodyLength(line: string, first: string): number {
  const begin = line.indexOf(first);
  let end = begin;
  for (const { index, 0: part } of line.slice(begin).matchAll(/\S+/g)) {
    if (!isBody(part) && !isShortEnd(part)) break;
    end = begin + index + part.length;
  }
  return end;
}

/** Start of the body of a key of which only the end is present. */
function bodyBegin(text: string, from: number, to: number): number | undefined {
  let begin: number | undefined;
  let isKey = false;
  for (const line of [...linesOf(text.slice(from, to))].toReversed()) {
    if (isBody(line.body) || isShortEnd(line.body)) {
      isKey ||= isBody(line.body);
      begin = from + line.start;
    } else if (line.body !== "") break;
  }
  return isKey ? begin : undefined;
}

/** The last line of a body, or the rest of a truncated one. */
function isShortEnd(line: string): boolean {
  return line !== "" && line.length < BODY && LETTERS.test(line) && /[\d+/=]|[a-z][A-Z]/.test(line);
}
