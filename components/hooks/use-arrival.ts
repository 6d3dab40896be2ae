import { type RefObject, useEffect, useState } from "react";

/** True once a page of this document was shown. On the first page, the browser puts the focus at the start. */
let hasPages = false;

/** True if the user came here from another page of the same document. Then the focus is lost together with the followed link. */
export function useIsArrival(): boolean {
  const [isArrival] = useState(() => hasPages);
  useEffect(() => {
    hasPages = true;
  }, []);
  return isArrival;
}

/** Focuses a page that was reached from another one, once its title is known, unless the user has moved the focus meanwhile. */
export function useArrival(page: RefObject<HTMLElement | null>, isKnown: boolean): void {
  const isArrival = useIsArrival();
  useEffect(() => {
    if (isArrival && isKnown) focusIfNone(page.current);
  }, [page, isArrival, isKnown]);
}

/** Focuses an element if nothing has the focus. */
export function focusIfNone(element: HTMLElement | null): void {
  if (document.activeElement === document.body) element?.focus({ preventScroll: true });
}
