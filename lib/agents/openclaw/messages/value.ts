import { isTokens } from "@/lib/core/transcript/figures";

/** Helpers that read values whose shape is not ours: a value of another type than the requested one counts as absent. */

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value if it is an object, else an object without properties. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** The entries of a list; empty where the value is no list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value if it is a text, including the empty one. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The value if it is a text that is not empty. */
export function filledText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The value if it is a finite number. */
export function finite(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** The integer part of a number, where that is above zero. */
export function positiveInteger(value: unknown): number | undefined {
  const whole = wholeNumber(value);
  return whole !== undefined && whole > 0 ? whole : undefined;
}

/** The integer part of a number that is not negative; `undefined` for one that is too large to be exact. */
export function wholeNumber(value: unknown): number | undefined {
  const whole = Math.floor(finite(value) ?? Number.NaN);
  return Number.isSafeInteger(whole) && whole >= 0 ? whole : undefined;
}

/** The size of a text, in characters or in tokens; `undefined` where it exceeds what is counted here. */
export function textSize(value: unknown): number | undefined {
  const whole = wholeNumber(value);
  return isTokens(whole) ? whole : undefined;
}

/** JSON of a value; `undefined` where it has none, or is nested too deep for the stack. */
export function jsonOf(value: unknown): string | undefined {
  try {
    // `JSON.stringify` returns `undefined` for what JSON cannot hold.
    return JSON.stringify(value) as string | undefined;
  } catch {
    return undefined;
  }
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, value) => total + value, 0);
}
