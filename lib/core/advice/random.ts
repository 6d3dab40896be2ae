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

/** One of the values; `undefined` of none. */
export function drawn<Value>(values: readonly Value[], random: Random): Value | undefined {
  return values[Math.floor(random() * values.length)];
}

/** The values in a random order. */
export function shuffled<Value>(values: readonly Value[], random: Random): readonly Value[] {
  const order = [...values];
  for (let last = order.length - 1; last > 0; last--) {
    const at = Math.floor(random() * (last + 1));
    const [one, other] = [order[at], order[last]];
    // Both are places of the list.
    if (one !== undefined && other !== undefined) [order[at], order[last]] = [other, one];
  }
  return order;
}
