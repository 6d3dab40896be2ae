import { useEffect, useReducer, useState } from "react";
import { allSteps, type Steps } from "@/lib/core/base/steps";

/** Maximum time of work in the frame of an input, in ms: the frame must be drawn as well. */
const FRAME_MS = 8;

interface Ended<Input, Result> {
  readonly input: Input;
  readonly outcome: { readonly result: Result } | { readonly error: unknown };
}

/**
 * Repeated work with changing inputs, for example while a slider moves. A result of a few milliseconds is available in the same frame. Longer work
 * continues between frames, while the previous result stays; only when it has ended does the work for the newest input begin. So the page keeps
 * drawing, and results keep arriving.
 */
export class NewestResult<Input, Result> {
  #newest: Input;
  #ended: Ended<Input, Result>;
  #underWay: Steps<Ended<Input, Result>> | undefined;
  /** The work that continues between frames, and a function that stops it. */
  #running: Steps<Ended<Input, Result>> | undefined;
  #stop: (() => void) | undefined;

  /**
   * @param first input whose work is done at once
   * @param mayStandFor returns true if an earlier input's result may be shown until the new one is ready
   */
  constructor(
    first: Input,
    private readonly begin: (input: Input) => Steps<Result>,
    private readonly mayStandFor: (earlier: Input, input: Input) => boolean,
  ) {
    this.#newest = first;
    this.#ended = allSteps(this.#work(first));
  }

  /** The result for an input; throws the errors of the work. */
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

  /**
   * Continues unfinished work between frames.
   * @param changed called with every result
   */
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

  /** Pauses the work until `goOn`. */
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

/** The newest result of repeated work: see `NewestResult`. Only the functions of the first render are used. */
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

/** Maximum time in ms that a piece of work may block the page before it yields. */
export const SLICE_MS = 12;

/**
 * Does long work for the length of a slice.
 * @param ms length of the slice
 * @returns the result, if the work has ended
 */
function slice<Result>(steps: Steps<Result>, ms = SLICE_MS): { readonly result: Result } | undefined {
  const end = performance.now() + ms;
  let step = steps.next();
  while (step.done !== true && performance.now() < end) step = steps.next();
  return step.done === true ? { result: step.value } : undefined;
}

/**
 * Does long work between the page's frames.
 * @returns a function that stops it; then `done` is not called
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
