/** How an update gets into the browser's history: as a step of its own, or as part of the last one. */
export type HistoryMode = "push" | "replace";

/** Updates of the same thing that follow each other within this time are one step: a key that is held, a wheel, items walked through. */
const TOGETHER_MS = 1000;

/**
 * Decides which updates of the address are steps that Back undoes. While a pointer is held, all updates of one thing are one step, so that Back
 * after a drag leads to where it began; so are updates of one thing in quick succession.
 */
export class HistorySteps {
  #last: string | undefined;
  #at = 0;
  #presses = 0;
  #pressOfLast = 0;
  #isHeld = false;
  /** Whether the last update was the first of its press: a click, or what a drag came to in the end. */
  #wasClick = false;

  press(): void {
    this.#presses += 1;
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
  }

  /** The browser went back or forward: whatever comes next is a new step. */
  moved(): void {
    this.#last = undefined;
  }

  /**
   * The way in which an update gets into the history.
   * @param what it changes: a drag of one slider is no part of the drag of another
   * @param now in ms
   */
  mode(what: string, now: number): HistoryMode {
    const isSame = what === this.#last && this.#pressOfLast === this.#presses;
    const goesOn = isSame && (this.#isHeld || (now - this.#at < TOGETHER_MS && !this.#wasClick));
    this.#wasClick = this.#pressOfLast !== this.#presses;
    this.#last = what;
    this.#at = now;
    this.#pressOfLast = this.#presses;
    return goesOn ? "replace" : "push";
  }
}
