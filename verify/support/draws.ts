/** Pseudo-random numbers from a seed, so that a failure can be repeated: each is a whole number from 0 to below what is asked for. */
export function draws(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
