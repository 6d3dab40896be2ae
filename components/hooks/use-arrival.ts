import { type RefObject, useEffect, useState } from "react";

/** True if a page of this document was shown already. With the first one, the browser itself begins at the start. */
let hasPages = false;

/** True if this page was reached from another page of the same document. The link that led here has gone then, and the focus with it. */
export function useIsArrival(): boolean {
  const [isArrival] = useState(() => hasPages);
  useEffect(() => {
    hasPages = true;
  }, []);
  return isArrival;
}

/**
 * Gives the focus to a page that was reached from another one, once it can say what it is: so the keyboard goes on there and a screen
 * reader reads its name. A focus that somebody has set meanwhile stays.
 */
export function useArrival(page: RefObject<HTMLElement | null>, isKnown: boolean): void {
  const isArrival = useIsArrival();
  useEffect(() => {
    if (isArrival && isKnown) focusIfNone(page.current);
  }, [page, isArrival, isKnown]);
}

/** Gives an element the focus where nothing has it. */
export function focusIfNone(element: HTMLElement | null): void {
  if (document.activeElement === document.body) element?.focus({ preventScroll: true });
}
