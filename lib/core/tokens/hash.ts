/**
 * Polynomial hash of bytes in 32 bits. The hash of a range follows from the hashes of two prefixes. Once a text's prefixes are hashed, any range can
 * be looked up without reading its bytes. Equal hashes are only candidates: the caller compares the bytes.
 */
import { intAt } from "./arrays";

const MULTIPLIER = 0x01000193;
/** Maximum length of a range for `hashOf`; no known table has a longer token. */
export const LONGEST_HASHED = 255;

/** MULTIPLIER to the power of the index, in 32 bits. */
const POWERS = new Int32Array(LONGEST_HASHED + 1);
POWERS[0] = 1;
for (let i = 1; i <= LONGEST_HASHED; i++) POWERS[i] = Math.imul(intAt(POWERS, i - 1), MULTIPLIER);

/** Returns the hash of a string plus one byte. The hash of the empty string is 0. */
export function extendHash(hash: number, byte: number): number {
  return (Math.imul(hash, MULTIPLIER) + byte + 1) | 0;
}

/** Returns the hash of the range from `start` to `end`, at most LONGEST_HASHED bytes, given the text's prefix hashes. */
export function hashOf(prefixes: Int32Array, start: number, end: number): number {
  return (intAt(prefixes, end) - Math.imul(intAt(prefixes, start), intAt(POWERS, end - start))) | 0;
}
