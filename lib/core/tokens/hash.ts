/**
 * A polynomial hash of bytes in 32 bits. The hash of a stretch follows from those of two prefixes, so that once the prefixes of a text are
 * hashed any stretch can be looked up without touching its bytes. It only finds candidates: whoever finds one compares the bytes.
 */
import { intAt } from "./arrays";

const MULTIPLIER = 0x01000193;
/** Longest stretch that `hashOf` takes; no token of any table that we know is longer. */
export const LONGEST_HASHED = 255;

/** MULTIPLIER to the power of the index, in 32 bits. */
const POWERS = new Int32Array(LONGEST_HASHED + 1);
POWERS[0] = 1;
for (let i = 1; i <= LONGEST_HASHED; i++) POWERS[i] = Math.imul(intAt(POWERS, i - 1), MULTIPLIER);

/** The hash of a string and one more byte. The empty string's is 0. */
export function extendHash(hash: number, byte: number): number {
  return (Math.imul(hash, MULTIPLIER) + byte + 1) | 0;
}

/** The hash of the stretch from `start` to `end`, at most LONGEST_HASHED bytes, of the text with these prefix hashes. */
export function hashOf(prefixes: Int32Array, start: number, end: number): number {
  return (intAt(prefixes, end) - Math.imul(intAt(prefixes, start), intAt(POWERS, end - start))) | 0;
}
