/**
 * Reads of typed arrays at indices that are in range by construction. The casts are only here: the compiler cannot know the bounds, and a default
 * value would hide a wrong index. Each array type has its own function, because a shared one would see several types and run slower.
 */

export function byteAt(array: Uint8Array, index: number): number {
  return array[index] as number;
}

export function intAt(array: Int32Array, index: number): number {
  return array[index] as number;
}

export function floatAt(array: Float64Array, index: number): number {
  return array[index] as number;
}

/** The smallest power of two that is at least `least`. */
export function powerOfTwo(least: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, least)));
}
