/** A 53-bit hash of a text (FNV-1a, twice from different starts). Equal texts have equal hashes; different texts almost never do. */
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

/** Copies a text. A slice of a string keeps the whole string in memory; the copy does not. Meant for short texts that live long. */
export function detached(text: string): string {
  return JSON.parse(JSON.stringify(text)); // The JSON round trip rebuilds every character, lone surrogates included.
}
