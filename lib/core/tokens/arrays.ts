/**
 * Reads of typed arrays at indices that are inside by construction. The casts live only here: the compiler cannot know the bounds, and a default
 * value would hide a wrong index. There is one function per type, because a shared one would see several kinds of array and run slower.
 */

/** The byte at an index known to be inside. */
export function byteAt(array: Uint8Array, index: number): number {
  return array[index] as number;
}

/** The 32-bit integer at an index known to be inside. */
export function intAt(array: Int32Array, index: number): number {
  return array[index] as number;
}

/** The number at an index known to be inside. */
export function floatAt(array: Float64Array, index: number): number {
  return array[index] as number;
}

/** The smallest power of two that is at least `least`. */
export function powerOfTwo(least: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, least)));
}
