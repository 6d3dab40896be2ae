/** The paths that texts name. The rules are in docs/method.md, "Re-fetched content". */

/** Character classes as bits. */
const CHARACTER = { word: 1, lower: 2, upper: 4, path: 8, underscore: 16 } as const;

/** Marks a character whose class is cached. */
const KNOWN = 128;
/** Classes by UTF-16 unit, filled on first use: a look-up in Unicode's tables for every character of a text would take most of the time. */
const OF_UNIT = new Uint8Array(0x10000);

/**
 * Visits the longest runs of characters with a bit, from the left: start and end in UTF-16 units, length in characters, and the bits that any of its
 * characters has.
 */
function eachRun(
  text: string,
  bit: number,
  visit: (start: number, end: number, length: number, bits: number) => void,
): void {
  let start = -1;
  let length = 0;
  let bits = 0;
  for (let at = 0, width = 1; at < text.length; at += width) {
    const unit = text.charCodeAt(at);
    width = 1;
    let own = OF_UNIT[unit] ?? 0;
    if (own === 0) {
      const character = text.codePointAt(at) ?? unit;
      width = character < 0x10000 ? 1 : 2;
      own = bitsOf(character);
    }
    if ((own & bit) !== 0) {
      if (start < 0) [start, length, bits] = [at, 0, 0];
      length += 1;
      bits |= own;
    } else if (start >= 0) {
      visit(start, at, length, bits);
      start = -1;
    }
  }
  if (start >= 0) visit(start, text.length, length, bits);
}

/** End of the run of characters with a bit that includes a position. */
function runEnd(text: string, bit: number, from: number): number {
  let at = from;
  while (at < text.length) {
    const known = OF_UNIT[text.charCodeAt(at)] ?? 0;
    const character = known === 0 ? (text.codePointAt(at) ?? 0) : 0;
    if (((known || bitsOf(character)) & bit) === 0) break;
    at += character < 0x10000 ? 1 : 2;
  }
  return at;
}

/** Start of the run of characters with a bit that ends at a position. */
function runStart(text: string, bit: number, to: number): number {
  let at = to;
  while (at > 0) {
    const known = OF_UNIT[text.charCodeAt(at - 1)] ?? 0;
    const character = known === 0 ? characterBefore(text, at) : 0;
    if (((known || bitsOf(character)) & bit) === 0) break;
    at -= character < 0x10000 ? 1 : 2;
  }
  return at;
}

function characterBefore(text: string, at: number): number {
  const pair = text.codePointAt(at - 2) ?? 0;
  return pair < 0x10000 ? text.charCodeAt(at - 1) : pair;
}

/** A surrogate is never cached, since its class depends on its other half. */
function bitsOf(character: number): number {
  const bits = lookedUp(String.fromCodePoint(character));
  if (character < OF_UNIT.length && !isSurrogate(character)) OF_UNIT[character] = bits;
  return bits;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

function lookedUp(character: string): number {
  const isLetterOrDigit = /[\p{L}\p{N}_]/u.test(character);
  return (
    KNOWN |
    (isLetterOrDigit ? CHARACTER.word | CHARACTER.path : 0) |
    (/\p{Ll}/u.test(character) ? CHARACTER.lower : 0) |
    (/\p{Lu}/u.test(character) ? CHARACTER.upper : 0) |
    (/[.~@+%/-]/.test(character) ? CHARACTER.path : 0) |
    (character === "_" ? CHARACTER.underscore : 0)
  );
}

/** A last part that ends like a file: `a.ts`, but not `.ts`. */
const FILE_ENDING = /^.+\.[A-Za-z0-9]{1,8}$/s;
const NO_PARTS: ReadonlySet<string> = new Set(["", ".", "..", "~"]);

/**
 * Every path that a text names, once, in the order of first mention.
 * @param text without reminders
 */
export function pathsIn(text: string): ReadonlySet<string> {
  const paths = new Set<string>();
  // A search for slashes is many times as fast as a look at every character.
  for (let slash = text.indexOf("/"); slash >= 0; ) {
    const end = runEnd(text, CHARACTER.path, slash + 1);
    const path = withoutTrailingDots(text.slice(runStart(text, CHARACTER.path, slash), end));
    if (isPath(path)) paths.add(path);
    slash = text.indexOf("/", end);
  }
  return paths;
}

/** Common part of all names of a path: its last two parts. */
export function pathKey(path: string): string {
  const parts = partsOf(path);
  return parts.slice(-2).join("/");
}

/** True if a path ends like a file. */
export function isFile(path: string): boolean {
  return FILE_ENDING.test(path.slice(path.lastIndexOf("/") + 1));
}

function isPath(run: string): boolean {
  if (!run.includes("/") || run.startsWith("//") || run.startsWith("/dev/")) return false;
  const parts = partsOf(run);
  if (parts.length < 2) return false;
  return run.startsWith("/") || run.startsWith("~") || isFile(run);
}

function partsOf(path: string): readonly string[] {
  return path.split("/").filter((part) => !NO_PARTS.has(part));
}

function withoutTrailingDots(run: string): string {
  let end = run.length;
  while (end > 0 && run[end - 1] === ".") end -= 1;
  return run.slice(0, end);
}

/** Minimum length of an identifier, since short words occur in any text. */
const LONG = 8;
const CASES = CHARACTER.lower | CHARACTER.upper;

/**
 * The identifiers that a text names, each once: words of at least 8 characters that mix cases or hold `_`.
 * @param text without reminders
 */
export function namesIn(text: string): ReadonlySet<string> {
  const names = new Set<string>();
  eachRun(text, CHARACTER.word, (start, end, length, bits) => {
    if (length < LONG) return;
    if ((bits & CHARACTER.underscore) !== 0 || (bits & CASES) === CASES) names.add(text.slice(start, end));
  });
  return names;
}
