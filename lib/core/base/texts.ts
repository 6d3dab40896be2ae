/** A 53-bit hash of a text (FNV-1a, twice from different starts). Equal texts have equal hashes, different texts hardly ever do. */
export function textHash(text: string): number {
  let low = 0x811c9dc5;
  let high = 0x01000193;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    low = Math.imul(low ^ unit, 0x01000193);
    high = Math.imul(high ^ unit, 0x85ebca6b);
  }
  return (high >>> 11) * 2 ** 32 + (low >>> 0);
}

/**
 * A copy of the text that does not keep a longer text alive: a slice of a string holds the whole of it in memory. For short texts that are kept for
 * long.
 */
export function detached(text: string): string {
  return JSON.parse(JSON.stringify(text)); // rebuilds every character, lone surrogates too
}
