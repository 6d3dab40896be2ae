import { isTokens } from "@/lib/core/transcript/figures";

/** Reading values whose shape is not ours: what is not of the asked type is absent. */

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value if it is an object, else one without properties. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** The entries of a list; none where it is no list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A text, the empty one included. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A text that holds something. */
export function filledText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A finite number. */
export function finite(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** The integer part of a number, where that is above zero. */
export function positiveInteger(value: unknown): number | undefined {
  const whole = wholeNumber(value);
  return whole !== undefined && whole > 0 ? whole : undefined;
}

/** The integer part of a number that is not below zero; none of one that is too large to be exact. */
export function wholeNumber(value: unknown): number | undefined {
  const whole = Math.floor(finite(value) ?? Number.NaN);
  return Number.isSafeInteger(whole) && whole >= 0 ? whole : undefined;
}

/** The size of a text, in characters or in tokens: none where it is larger than what is counted here. */
export function textSize(value: unknown): number | undefined {
  const whole = wholeNumber(value);
  return isTokens(whole) ? whole : undefined;
}

/** JSON of a value; `undefined` where it has none, or is nested deeper than the stack. */
export function jsonOf(value: unknown): string | undefined {
  try {
    // `JSON.stringify` gives nothing for what JSON cannot hold.
    return JSON.stringify(value) as string | undefined;
  } catch {
    return undefined;
  }
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, value) => total + value, 0);
}
