import { basename, join } from "node:path";
import { linkOrCopy, realRecordings, SAMPLES, SAMPLES_BY_AGENT } from "./inputs";
import { makeLarge } from "./large";

/** Bytes of a file that is made of a sample: real ones are spread like this, small ones as often as large ones. */
const SMALLEST = 100_000;
const LARGEST = 4_000_000;
/** Between the beginnings of two that are made of one sample. */
const LATER_MS = 86_400_000;

/**
 * Fills a folder with so many recordings of realistic sizes: the real ones beside the project, where there are any, and samples
 * repeated, each at another time.
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

/** Numbers from 0 up to 1 that are spread evenly, and the same in every run: the multiples of the golden ratio without their whole part. */
export function spread(index: number): number {
  return (index * 0.6180339887498949) % 1;
}
