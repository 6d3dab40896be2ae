/** Work that takes long, cut into steps: whoever does it may do something else between any two. */
export type Steps<Result> = Generator<undefined, Result>;

/** Does all steps at once. */
export function allSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
