import { setFlagsFromString } from "node:v8";

/** Growth of a heap between two full collections, in percent of the live data. */
const GROWTH_PERCENT = 50;

/**
 * Makes V8 collect garbage earlier, in every thread of this process. By default a heap may first grow several times over, and when thousands of sessions
 * are read, written or queried, nearly all of that is garbage. Its cost and savings are in bench/results.md.
 */
export function keepHeapsSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
