import { useEffect, useReducer, useState } from "react";
import { allSteps, type Steps } from "@/lib/core/base/steps";

/** How much of its work may be done in the frame in which an input comes, in ms: the frame has to be drawn too. */
const FRAME_MS = 8;

/** What came of the work for an input. */
interface Ended<Input, Result> {
  readonly input: Input;
  readonly outcome: { readonly result: Result } | { readonly error: unknown };
}

/**
 * Work that is asked for again and again with other inputs, as while a slider moves. What takes a few milliseconds is there in the same frame. Longer
 * work goes on between frames, while the result before it stays; only when it has ended does the work for the newest input begin. So the page goes on
 * drawing, and results go on coming.
 */
export class NewestResult<Input, Result> {
  #newest: Input;
  #ended: Ended<Input, Result>;
  #underWay: Steps<Ended<Input, Result>> | undefined;
  /** What of it goes on between frames, and what stops that. */
  #running: Steps<Ended<Input, Result>> | undefined;
  #stop: (() => void) | undefined;

  /**
   * @param first its work is done at once
   * @param mayStandFor whether the result for an earlier input may be shown for another one for a while
   */
  constructor(
    first: Input,
    private readonly begin: (input: Input) => Steps<Result>,
    private readonly mayStandFor: (earlier: Input, input: Input) => boolean,
  ) {
    this.#newest = first;
    this.#ended = allSteps(this.#work(first));
  }

  /** The result for an input; throws what the work throws. */
  of(input: Input): Result {
    const isNew = input !== this.#newest;
    this.#newest = input;
    if (!this.mayStandFor(this.#ended.input, input)) {
      this.#underWay = undefined;
      this.#ended = allSteps(this.#work(input));
    } else if (isNew && this.#underWay === undefined) {
      const steps = this.#work(input);
      const ended = slice(steps, FRAME_MS);
      if (ended === undefined) this.#underWay = steps;
      else this.#ended = ended.result;
    }
    const { outcome } = this.#ended;
    if ("error" in outcome) throw outcome.error;
    return outcome.result;
  }

  /** Goes on with work that is under way, and with nothing that was given up. @param changed is told of every result */
  goOn(changed: () => void): void {
    const steps = this.#underWay;
    if (steps === this.#running) return;
    this.rest();
    if (steps === undefined) return;
    this.#running = steps;
    this.#stop = inSlices(steps, (ended) => {
      if (this.#underWay !== steps) return;
      this.#ended = ended;
      this.#underWay = ended.input === this.#newest ? undefined : this.#work(this.#newest);
      changed();
      this.goOn(changed);
    });
  }

  /** Stops until `goOn`. */
  rest(): void {
    this.#stop?.();
    this.#running = undefined;
  }

  *#work(input: Input): Steps<Ended<Input, Result>> {
    try {
      return { input, outcome: { result: yield* this.begin(input) } };
    } catch (error) {
      return { input, outcome: { error } };
    }
  }
}

/** The newest result of work that is asked for again and again: see `NewestResult`. Both functions are always the same. */
export function useNewestResult<Input, Result>(
  input: Input,
  begin: (input: Input) => Steps<Result>,
  mayStandFor: (earlier: Input, input: Input) => boolean,
): Result {
  const [work] = useState(() => new NewestResult(input, begin, mayStandFor));
  const [, drawAgain] = useReducer((times: number) => times + 1, 0);
  useEffect(() => work.goOn(drawAgain));
  useEffect(() => () => work.rest(), [work]);
  return work.of(input);
}

/** How long a piece of work may block the page before it yields, in ms. */
export const SLICE_MS = 12;

/** Does long work for as long as a slice. @param ms how long that is @returns the result, if the work has ended */
function slice<Result>(steps: Steps<Result>, ms = SLICE_MS): { readonly result: Result } | undefined {
  const end = performance.now() + ms;
  let step = steps.next();
  while (step.done !== true && performance.now() < end) step = steps.next();
  return step.done === true ? { result: step.value } : undefined;
}

/**
 * Does long work between the page's frames.
 * @returns what stops it; then `done` is not called
 */
export function inSlices<Result>(steps: Steps<Result>, done: (result: Result) => void): () => void {
  let timer = setTimeout(work);
  function work(): void {
    const ended = slice(steps);
    if (ended === undefined) timer = setTimeout(work);
    else done(ended.result);
  }
  return () => clearTimeout(timer);
}
