import type { Milliseconds } from "./units";

/** ISO 8601 date and time. A time without a zone counts as UTC, so the result does not depend on the reader's zone. */
const ISO_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(Z|[+-]\d\d:?\d\d)?$/;

/** Parses a timestamp of an agent's record; `undefined` for anything else. */
export function isoTime(value: unknown): Milliseconds | undefined {
  if (typeof value !== "string") return undefined;
  return plainTime(value) ?? anyTime(value);
}

function anyTime(value: string): Milliseconds | undefined {
  const match = ISO_TIME.exec(value);
  if (match === null) return undefined;
  const at = Date.parse(match[1] === undefined ? `${match[0]}Z` : match[0]);
  return Number.isNaN(at) ? undefined : at;
}

const PLAIN_LENGTH = "2026-01-31T23:59:59.999Z".length;
const DAY_MS = 86_400_000;

/**
 * Parses `2026-01-31T23:59:59.999Z`, the format that JavaScript writes. Nearly every record has one, and `Date.parse` would take a fifth of the time
 * needed to parse a short record. Returns `undefined` for other formats and for days after the 28th.
 */
function plainTime(value: string): Milliseconds | undefined {
  if (!isPlain(value)) return undefined;
  const year = digits(value, 0, 4);
  const month = digits(value, 5, 2);
  const day = digits(value, 8, 2);
  const hour = digits(value, 11, 2);
  const minute = digits(value, 14, 2);
  const second = digits(value, 17, 2);
  const ms = digits(value, 20, 3);
  if (year < 0 || month < 1 || day < 1 || hour < 0 || minute < 0 || second < 0 || ms < 0) return undefined;
  if (month > 12 || day > 28 || hour > 23 || minute > 59 || second > 59) return undefined;
  return daysSince1970(year, month, day) * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1000 + ms;
}

/** True if all separators are in place; the digits are not checked. */
function isPlain(value: string): boolean {
  return (
    value.length === PLAIN_LENGTH &&
    value.charCodeAt(4) === DASH &&
    value.charCodeAt(7) === DASH &&
    value.charCodeAt(10) === T &&
    value.charCodeAt(13) === COLON &&
    value.charCodeAt(16) === COLON &&
    value.charCodeAt(19) === POINT &&
    value.charCodeAt(23) === Z
  );
}

const DASH = 0x2d;
const T = 0x54;
const COLON = 0x3a;
const POINT = 0x2e;
const Z = 0x5a;
const ZERO = 0x30;
const NONE = -1;

/** Parses `count` digits at a position; −1 if one of them is not a digit. */
function digits(value: string, at: number, count: number): number {
  let sum = 0;
  for (let i = at; i < at + count; i++) {
    const digit = value.charCodeAt(i) - ZERO;
    if (digit < 0 || digit > 9) return NONE;
    sum = sum * 10 + digit;
  }
  return sum;
}

/** Days from 1970-01-01 in the Gregorian calendar. Years are counted from March, so that the leap day comes last. */
function daysSince1970(year: number, month: number, day: number): number {
  const marchYear = month > 2 ? year : year - 1;
  const century = Math.floor(marchYear / 100);
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const leapDays = Math.floor(marchYear / 4) - century + Math.floor(century / 4);
  return marchYear * 365 + leapDays + dayOfYear - 719_468;
}
