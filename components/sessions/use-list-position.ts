import { type RefObject, useEffect } from "react";
import { focusIfNone, useIsArrival } from "@/components/hooks/use-arrival";

/** Where a list was left. */
interface Place {
  /** How far it was scrolled, in px. */
  readonly top: number;
  /** The address of the session whose row had the focus last. */
  readonly link?: string | null;
}

/** Where each list was left, by its address; for as long as the tab is open. */
const PLACES = new Map<string, Place>();

/** How far the list of this address was scrolled when it was left, in px: it begins there again. */
export function keptPosition(): number {
  return typeof location === "undefined" ? 0 : placeHere().top;
}

/** Keeps how far the list is scrolled, and gives the row that had the focus its focus back. @param isThere whether its rows are there */
export function useListPosition(scroller: RefObject<HTMLElement | null>, isThere: boolean): void {
  const isArrival = useIsArrival();
  useEffect(() => {
    const element = scroller.current;
    if (element === null || !isThere) return;
    const back = requestAnimationFrame(() => {
      if (isArrival) focusIfNone(linkTo(element, placeHere().link) ?? element);
    });
    const keepTop = (): void => keep({ top: element.scrollTop });
    const keepLink = ({ target }: FocusEvent): void => {
      if (target instanceof HTMLAnchorElement) keep({ link: target.getAttribute("href") });
    };
    element.addEventListener("scroll", keepTop, { passive: true });
    element.addEventListener("focusin", keepLink);
    return () => {
      cancelAnimationFrame(back);
      element.removeEventListener("scroll", keepTop);
      element.removeEventListener("focusin", keepLink);
    };
  }, [scroller, isThere, isArrival]);
}

function placeHere(): Place {
  return PLACES.get(location.search) ?? { top: 0 };
}

function keep(part: Partial<Place>): void {
  PLACES.set(location.search, { ...placeHere(), ...part });
}

function linkTo(list: HTMLElement, href: string | null | undefined): HTMLElement | undefined {
  return Array.from(list.querySelectorAll("a")).find((link) => link.getAttribute("href") === href);
}
