/**
 * A text that holds nothing but itself: a slice of a longer one holds all of that. For short texts that are kept for long.
 */
export function detached(text: string): string {
  return JSON.parse(JSON.stringify(text)); // makes every character anew, lone surrogates too
}
