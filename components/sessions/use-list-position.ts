import { type RefObject, useEffect } from "react";

/** How far each list was scrolled when it was left, by its address; for as long as the tab is open. */
const POSITIONS = new Map<string, number>();

/** Where the list of this address was left, in px: it begins there again. */
export function keptPosition(): number {
  return typeof location === "undefined" ? 0 : (POSITIONS.get(location.search) ?? 0);
}

/** Keeps how far the list is scrolled. @param isThere whether its rows are there */
export function useListPosition(scroller: RefObject<HTMLElement | null>, isThere: boolean): void {
  useEffect(() => {
    const element = scroller.current;
    if (element === null || !isThere) return;
    const keep = (): void => {
      POSITIONS.set(location.search, element.scrollTop);
    };
    element.addEventListener("scroll", keep, { passive: true });
    return () => element.removeEventListener("scroll", keep);
  }, [scroller, isThere]);
}
