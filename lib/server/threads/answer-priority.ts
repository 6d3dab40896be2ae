import { counters } from "../base/counters";

/** Maximum time of one pause of a background thread. */
const MAX_PAUSE_MS = 100;
/** After a pause, a thread works for this share of its length even if a caller waits, so that a sweep always finishes. */
const OWN_SHARE = 1 / 9;

/** Counts running answers, in memory that every thread shares: background threads pause meanwhile. */
export class AnswerPriority {
  /** Shared memory for the threads that yield. */
  readonly memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  readonly #answers = new Int32Array(this.memory);

  /** Number of running answers. */
  get answers(): number {
    return Atomics.load(this.#answers, 0);
  }

  /**
   * Computes an answer while the background pauses. It counts until it resolves, rejects, or is aborted.
   * @param signal aborted when the client leaves
   */
  async run<T>(answer: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (signal?.aborted === true) return answer();
    let isCounted = true;
    const release = () => {
      if (isCounted) this.#release();
      isCounted = false;
    };
    Atomics.add(this.#answers, 0, 1);
    signal?.addEventListener("abort", release, { once: true });
    try {
      return await answer();
    } finally {
      signal?.removeEventListener("abort", release);
      release();
    }
  }

  #release(): void {
    const others = Atomics.sub(this.#answers, 0, 1) - 1;
    if (others === 0) Atomics.notify(this.#answers, 0);
  }
}

/** A thread's clock and sleep; tests replace them. */
interface ThreadClock {
  /** Milliseconds. */
  readonly now: () => number;
  /** Sleeps while the cell holds the value, for at most this many milliseconds. */
  readonly sleep: (cell: Int32Array, value: number, ms: number) => void;
}

const CLOCK: ThreadClock = {
  now: () => performance.now(),
  sleep: (cell, value, ms) => void Atomics.wait(cell, 0, value, ms),
};

/** Yields to answers: a background thread calls it between two small pieces of its work. */
export class BackgroundYield {
  readonly #answers: Int32Array;
  readonly #clock: ThreadClock;
  /** End of the working time after the last pause. */
  #ownUntil = Number.NEGATIVE_INFINITY;

  /** @param memory the memory of an `AnswerPriority` */
  constructor(memory: SharedArrayBuffer, clock: ThreadClock = CLOCK) {
    this.#answers = new Int32Array(memory);
    this.#clock = clock;
  }

  /** Pauses while a caller waits for an answer, for a bounded time. */
  yieldToAnswers(): void {
    if (Atomics.load(this.#answers, 0) === 0) return;
    const from = this.#clock.now();
    if (from < this.#ownUntil) return;
    counters.backgroundPauses += 1;
    let until = from;
    for (;;) {
      const answers = Atomics.load(this.#answers, 0);
      const left = from + MAX_PAUSE_MS - until;
      if (answers === 0 || left <= 0) break;
      this.#clock.sleep(this.#answers, answers, left);
      until = this.#clock.now();
    }
    this.#ownUntil = until + (until - from) * OWN_SHARE;
  }
}
