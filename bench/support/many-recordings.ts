import { basename, join } from "node:path";
import { linkOrCopy, realRecordings, SAMPLES, SAMPLES_BY_AGENT } from "./inputs";
import { makeLarge } from "./large";

/** The smallest and largest file made of a sample, in bytes. As with real files, small ones are as frequent as large ones. */
const SMALLEST = 100_000;
const LARGEST = 4_000_000;
/** The time between the starts of two files made of one sample. */
const LATER_MS = 86_400_000;

/**
 * Fills a folder with that many recordings of realistic sizes: the real ones beside the project, if there are any, and repeated samples, each
 * at another time.
 */
export async function writeManyRecordings(folder: string, count: number): Promise<void> {
  const real = realRecordings().slice(0, count);
  for (const { path } of real) linkOrCopy(path, join(folder, basename(path)));
  for (let made = 0; made < count - real.length; made++) {
    const { agent, sample } = SAMPLES_BY_AGENT[made % 2 === 0 ? 0 : 1];
    const bytes = SMALLEST * (LARGEST / SMALLEST) ** spread(made);
    await makeLarge(join(SAMPLES, sample), join(folder, `${agent}-${made}.jsonl`), bytes, (made + 1) * LATER_MS);
  }
}

/** Numbers from 0 up to 1, spread evenly and the same in every run: the fractional parts of the multiples of the golden ratio. */
export function spread(index: number): number {
  return (index * 0.6180339887498949) % 1;
}
