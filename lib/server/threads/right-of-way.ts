import { counters } from "../base/counters";

/** A background thread stands still for at most this long at a time. */
const MOST_STILL_MS = 100;
/** After standing still, a thread works for this share of the time that it stood, even if somebody waits: a sweep always comes to its end. */
const OWN_SHARE = 1 / 9;

/** Counts the answers that are being worked out, in memory that every thread sees: background threads stand still meanwhile. */
export class RightOfWay {
  /** To hand to the threads that give way. */
  readonly memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  readonly #answers = new Int32Array(this.memory);

  /** How many answers are being worked out. */
  get answers(): number {
    return Atomics.load(this.#answers, 0);
  }

  /**
   * Works out an answer while the background stands still. It counts until it is there, fails, or nobody wants it any more.
   * @param signal aborted when whoever asked has gone
   */
  async before<T>(answer: () => Promise<T>, signal?: AbortSignal): Promise<T> {
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

/** How a thread tells the time and stands still; tests bring their own. */
interface ThreadClock {
  /** Milliseconds. */
  readonly now: () => number;
  /** Sleeps while the cell holds the value, for at most so many milliseconds. */
  readonly sleep: (cell: Int32Array, value: number, ms: number) => void;
}

const CLOCK: ThreadClock = {
  now: () => performance.now(),
  sleep: (cell, value, ms) => void Atomics.wait(cell, 0, value, ms),
};

/** Lets answers go first: a background thread calls it between two small pieces of its work. */
export class GivingWay {
  readonly #answers: Int32Array;
  readonly #clock: ThreadClock;
  /** The thread works until this time, since it stood still before. */
  #ownUntil = Number.NEGATIVE_INFINITY;

  /** @param memory that of a `RightOfWay` */
  constructor(memory: SharedArrayBuffer, clock: ThreadClock = CLOCK) {
    this.#answers = new Int32Array(memory);
    this.#clock = clock;
  }

  /** Stands still while somebody waits for an answer, for a bounded time. */
  giveWay(): void {
    if (Atomics.load(this.#answers, 0) === 0) return;
    const from = this.#clock.now();
    if (from < this.#ownUntil) return;
    counters.timesGivenWay += 1;
    let until = from;
    for (;;) {
      const answers = Atomics.load(this.#answers, 0);
      const left = from + MOST_STILL_MS - until;
      if (answers === 0 || left <= 0) break;
      this.#clock.sleep(this.#answers, answers, left);
      until = this.#clock.now();
    }
    this.#ownUntil = until + (until - from) * OWN_SHARE;
  }
}
