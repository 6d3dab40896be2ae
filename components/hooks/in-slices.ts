import type { Steps } from "@/lib/core/base/steps";

/** How long a piece of work may block the page before it yields, in ms. */
export const SLICE_MS = 12;

/** Does long work for as long as a slice. @param ms how long that is @returns the result, if the work has ended */
export function slice<Result>(steps: Steps<Result>, ms = SLICE_MS): { readonly result: Result } | undefined {
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
