import { setFlagsFromString } from "node:v8";

/** Growth of a heap between two full collections, in percent of the live data. */
const GROWTH_PERCENT = 50;

/**
 * Has V8 collect garbage earlier, in every thread of this process. By default a heap may grow several times over first, and where thousands of sessions are
 * read, written or asked about, nearly all of that is garbage. What it costs and saves is in bench/results.md.
 */
export function keepHeapsSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
