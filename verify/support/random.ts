/** Pseudo-random whole numbers from 0 up to, but not including, a given limit. The same seed gives the same numbers, so that a failure can be repeated. */
export function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
