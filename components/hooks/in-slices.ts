import type { Steps } from "@/lib/core/base/steps";

/** How long a piece of work may block the page before it yields, in ms. */
export const SLICE_MS = 12;

/**
 * Does long work between the page's frames.
 * @returns what stops it; then `done` is not called
 */
export function inSlices<Result>(steps: Steps<Result>, done: (result: Result) => void): () => void {
  let timer = setTimeout(work);
  function work(): void {
    const end = performance.now() + SLICE_MS;
    let step = steps.next();
    while (step.done !== true && performance.now() < end) step = steps.next();
    if (step.done === true) done(step.value);
    else timer = setTimeout(work);
  }
  return () => clearTimeout(timer);
}
