import type { IndexingEvent } from "@/lib/api/contract";

/** The rate is that of the last seconds. */
const WINDOW_MS = 10_000;

interface Sample {
  readonly at: number;
  readonly bytesDone: number;
}

/** How fast files are read, as far as somebody has looked. */
export class IndexingRate {
  #samples: Sample[] = [];

  /** Takes what is read by now. @param at the time in milliseconds */
  take(
    { bytesDone, bytesTotal }: Pick<IndexingEvent, "bytesDone" | "bytesTotal">,
    at: number,
  ): Pick<IndexingEvent, "bytesPerSecond" | "secondsLeft"> {
    const last = this.#samples.at(-1);
    // Files that have grown, or are read again, take what was done back.
    if (last !== undefined && bytesDone < last.bytesDone) this.#samples = [];
    this.#samples = [...this.#samples.filter((sample) => at - sample.at <= WINDOW_MS), { at, bytesDone }];
    const first = this.#samples[0];
    if (first === undefined || first.at === at || first.bytesDone === bytesDone) {
      return { bytesPerSecond: null, secondsLeft: null };
    }
    const bytesPerSecond = ((bytesDone - first.bytesDone) * 1000) / (at - first.at);
    return { bytesPerSecond, secondsLeft: Math.max(0, bytesTotal - bytesDone) / bytesPerSecond };
  }
}
