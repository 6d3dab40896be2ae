import { numberField } from "@/lib/core/records/fields";
import { isTokens } from "@/lib/core/transcript/record-numbers";

/** Helpers that read values whose shape is not ours: a value of another type than the requested one counts as absent. */

export { isObject, type JsonObject, listOf, objectOf, objectsOf } from "@/lib/agents/shared/json";
export { numberField as finite, textField as textOf } from "@/lib/core/records/fields";

/** The value if it is a text that is not empty. */
export function filledText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The integer part of a number that is above zero. */
export function positiveInteger(value: unknown): number | undefined {
  const whole = wholeNumber(value);
  return whole !== undefined && whole > 0 ? whole : undefined;
}

/** The integer part of a number that is not negative; `undefined` for one that is too large to be exact. */
export function wholeNumber(value: unknown): number | undefined {
  const whole = Math.floor(numberField(value) ?? Number.NaN);
  return Number.isSafeInteger(whole) && whole >= 0 ? whole : undefined;
}

/** The size of a text, in characters or in tokens; `undefined` above the supported maximum. */
export function textSize(value: unknown): number | undefined {
  const whole = wholeNumber(value);
  return isTokens(whole) ? whole : undefined;
}

/** JSON of a value; `undefined` if it has none, or is nested too deep for the stack. */
export function jsonOf(value: unknown): string | undefined {
  try {
    // `JSON.stringify` returns `undefined` for values that JSON cannot hold.
    return JSON.stringify(value) as string | undefined;
  } catch {
    return undefined;
  }
}
