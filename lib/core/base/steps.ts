/** Long work cut into steps, so that the caller can do something else between two steps. */
export type Steps<Result> = Generator<undefined, Result>;

/** Runs all steps at once. */
export function allSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
