/**
 * A copy of the text that does not keep a longer text alive: a slice of a string holds the whole of it in memory. For short texts that are kept for
 * long.
 */
export function detached(text: string): string {
  return JSON.parse(JSON.stringify(text)); // rebuilds every character, lone surrogates too
}
