import { isObject, type JsonObject } from "./fields";
import { parsed, skipSpace } from "./json-text";
import { closingQuote, MAX_LEVELS } from "./nesting";

/**
 * Finds an intact record after a damaged one on the same line. Example: a crash cuts off a record, and the agent appends the next one without a line
 * end between them. Linear in the length of the line.
 */

/** An object within a line. */
interface FoundObject {
  readonly start: number;
  readonly end: number;
  readonly value: JsonObject;
}

/** Result of reading an object up to the first character that is not valid JSON. */
interface ObjectScan {
  /** Position after the object, or of the first invalid character. */
  readonly end: number;
  readonly isWhole: boolean;
  /** The object's own keys, as written. */
  readonly keys: readonly string[];
  /** Start of the inner object that closes right before `end`; −1 if there is none. */
  readonly closed: number;
  /** Position of the quote right before `end`; −1 if there is none. */
  readonly quote: number;
}

/**
 * Finds the next record after a break. A cut record ends within a string, before a key or a colon, or within a word. The next record's brace or first
 * quote is invalid at all these positions. If a cut record ends before a value, the next record can parse as that value, as an inner object of the
 * cut record. Such an object is a record if its keys are those of records.
 * @param broken start of the damage
 * @param scan of the object at that position
 */
export function recordAfter(
  text: string,
  broken: number,
  scan: ObjectScan,
  kinds: RecordKinds,
): FoundObject | undefined {
  let at = broken;
  let tried = scan;
  for (;;) {
    if (tried.closed > at) {
      const inner = objectAt(text, tried.closed, tried.end);
      if (inner !== undefined && kinds.includes(inner.value, tried.keys)) return inner;
    }
    const next = nextOpening(text, at, tried);
    if (next < 0) return undefined;
    const isCertain = next <= tried.end;
    at = next;
    tried = scanObject(text, next);
    if (!tried.isWhole) continue;
    const found = objectAt(text, next, tried.end);
    if (found !== undefined && (isCertain || !isValuePlace(text, next) || kinds.includes(found.value, []))) {
      return found;
    }
  }
}

/** Position where the next object may begin: the brace at the end of a string that was read too far, or a brace after the break. */
function nextOpening(text: string, at: number, { end, isWhole, quote }: ObjectScan): number {
  if (!isWhole && quote > at) {
    let before = quote - 1;
    while (before > at && skipSpace(text, before) !== before) before -= 1;
    if (before > at && text[before] === "{") return before;
  }
  let next = text.indexOf("{", Math.max(end, at + 1));
  while (next >= 0 && text[skipSpace(text, next + 1)] !== '"') next = text.indexOf("{", next + 1);
  return next;
}

/** Returns the object in a range if it is JSON and the text after it can follow a record. */
function objectAt(text: string, start: number, end: number): FoundObject | undefined {
  const close = skipBack(text, end);
  if (!canFollowRecord(text, close)) return undefined;
  const value = parsed(text.slice(start, close));
  return isObject(value) ? { start, end: close, value } : undefined;
}

function skipBack(text: string, end: number): number {
  let at = end;
  while (at > 0 && skipSpace(text, at - 1) !== at - 1) at -= 1;
  return at;
}

/** True if a record can end here: before the line's end, another object, or bytes that are not text, but not before more of an outer value. */
function canFollowRecord(text: string, end: number): boolean {
  const next = skipSpace(text, end);
  if (next >= text.length || text[next] === "{") return true;
  const unit = text.charCodeAt(next);
  return unit < 0x20 || unit === REPLACEMENT;
}

const REPLACEMENT = 0xfffd;

/** True if an object that begins here may be a value within another one. */
function isValuePlace(text: string, start: number): boolean {
  const before = skipBack(text, start) - 1;
  return before >= 0 && ":,[".includes(text.charAt(before));
}

type Expected = "value" | "value or end" | "key" | "key or end" | "colon" | "comma or end";

/** Reads an object up to the first invalid character. The content of strings is not checked. Reading stops at an object with too many levels. */
export function scanObject(text: string, start: number): ObjectScan {
  // Start of each open object; −1 for a list.
  const open: number[] = [];
  const keys: string[] = [];
  let expected: Expected = "value";
  let closed = -1;
  let quote = -1;
  let end = start;
  for (;;) {
    const at = skipSpace(text, end);
    const sign = text.charAt(at);
    const stop = { end: at, isWhole: false, keys, closed, quote };
    const takesValue = expected === "value" || expected === "value or end";
    closed = -1;
    quote = -1;
    if (sign === "{" || sign === "[") {
      if (!takesValue || open.length >= MAX_LEVELS || (open.length === 0 && sign === "[")) return stop;
      open.push(sign === "{" ? at : -1);
      expected = sign === "{" ? "key or end" : "value or end";
      end = at + 1;
    } else if (open.length === 0) {
      return stop;
    } else if (sign === "}" || sign === "]") {
      const isList = open.at(-1) === -1;
      const mayEnd = expected === "comma or end" || expected === (isList ? "value or end" : "key or end");
      if (!mayEnd || isList !== (sign === "]")) return stop;
      closed = open.pop() ?? -1;
      end = at + 1;
      if (open.length === 0) return { end, isWhole: true, keys, closed: -1, quote };
      expected = "comma or end";
    } else if (sign === ",") {
      if (expected !== "comma or end") return stop;
      expected = open.at(-1) === -1 ? "value" : "key";
      end = at + 1;
    } else if (sign === ":") {
      if (expected !== "colon") return stop;
      expected = "value";
      end = at + 1;
    } else if (sign === '"') {
      const isKey: boolean = expected === "key" || expected === "key or end";
      if (!isKey && !takesValue) return stop;
      quote = closingQuote(text, at);
      if (quote < 0) return { ...stop, end: text.length };
      if (isKey && open.length === 1 && keys.length < MAX_KEYS) keys.push(text.slice(at + 1, quote));
      expected = isKey ? "colon" : "comma or end";
      end = quote + 1;
    } else {
      const after = wordEnd(text, at);
      if (!takesValue || !WORD.test(text.slice(at, after))) return stop;
      expected = "comma or end";
      end = after;
    }
  }
}

/** A number, `true`, `false` or `null`. */
const WORD = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;
const LONGEST_WORD = 400;

function wordEnd(text: string, start: number): number {
  let end = start;
  while (end - start < LONGEST_WORD && end < text.length && IN_WORD.test(text.charAt(end))) end += 1;
  return end;
}

const IN_WORD = /[-+.\w]/;
const MAX_KEYS = 64;
const MAX_KINDS = 64;
/** Maximum length of a record type's name. */
const LONGEST_TYPE = 64;

/** Learns the keys of a file's records, to tell a record from a value within one. */
export class RecordKinds {
  /**
   * Known record types by the first key of their records; for records without a type, their keys. Programs write a record's keys in the same order
   * each time.
   */
  readonly #types = new Map<string, Set<string>>();
  readonly #kinds: (readonly string[])[] = [];

  learn(record: JsonObject): void {
    if (this.#kinds.length >= MAX_KINDS) return;
    const first = firstKey(record);
    if (first === undefined) return;
    const { type } = record;
    const isTyped = typeof type === "string" && type.length <= LONGEST_TYPE;
    const name = isTyped ? type : Object.keys(record).slice(0, MAX_KEYS).join(" ");
    const types = this.#types.get(first);
    if (types?.has(name)) return;
    if (types === undefined) this.#types.set(first, new Set([name]));
    else types.add(name);
    this.#kinds.push(Object.keys(record).slice(0, MAX_KEYS));
  }

  /**
   * True if an object begins as records do and shares more than half of its keys with one of them. A `type` alone is not enough, since any value
   * within a record may have one.
   * @param broken keys of the cut record that may contain the object; more than half of them have to be the object's too
   */
  includes(object: JsonObject, broken: readonly string[]): boolean {
    const keys = new Set(Object.keys(object));
    const first = firstKey(object);
    const shared = (others: readonly string[]) => others.reduce((sum, key) => sum + (keys.has(key) ? 1 : 0), 0);
    if (broken[0] === first && 2 * shared(broken) > broken.length) return true;
    return this.#kinds.some((kind) => {
      if (kind[0] !== first) return false;
      const both = shared(kind);
      return (both > 1 || first !== "type") && 2 * both > keys.size + kind.length - both;
    });
  }
}

function firstKey(object: JsonObject): string | undefined {
  for (const key in object) return key;
  return undefined;
}
