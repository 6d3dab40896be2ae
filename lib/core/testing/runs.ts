/**
 * How many inputs a property is tried on that costs much for each: a few by default. `RUNS=20` in the environment gives twenty times as many.
 * @param few enough to meet every case that the test is about
 */
export function runs(few: number): number {
  return Math.max(1, Math.round(few * Number(process.env.RUNS ?? 1)));
}
