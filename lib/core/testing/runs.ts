/**
 * Number of inputs for a property that is expensive to check: a few by default. `RUNS=20` in the environment gives twenty times as many.
 * @param few enough to reach every case that the test is about
 */
export function runs(few: number): number {
  return Math.max(1, Math.round(few * Number(process.env.RUNS ?? 1)));
}
