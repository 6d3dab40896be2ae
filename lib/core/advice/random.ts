/** Numbers from 0 (included) to 1 that look random, the same ones for the same seed. */
export type Random = () => number;

/** Mulberry32, a generator of 32 bits. Source: Tommy Ettinger, 2017, public domain. @param seed a whole number */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A whole number from 0 (included) to another. */
export function drawn(below: number, random: Random): number {
  return Math.floor(random() * below);
}

/** The whole numbers from 0 (included) to another in a random order. */
export function shuffled(length: number, random: Random): Int32Array {
  const order = Int32Array.from({ length }, (_, index) => index);
  for (let last = length - 1; last > 0; last--) {
    const at = drawn(last + 1, random);
    const one = order[at] ?? 0;
    order[at] = order[last] ?? 0;
    order[last] = one;
  }
  return order;
}
