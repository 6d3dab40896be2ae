import { type RefObject, useEffect, useRef } from "react";
import { useView } from "../shared/state/stores";

/** Name of the highlight in the style sheet. */
const NAME = "find";
/** Maximum number of highlighted matches: more than a screen can show. */
const MAX_MARKED = 1000;

interface FindHighlightProps {
  readonly list: RefObject<HTMLElement | null>;
  readonly text: string;
}

/**
 * Highlights every match of a text in a list. The browser draws the highlights over the text, so no component that shows texts is involved; a browser
 * without this feature shows none.
 */
export function FindHighlight({ list, text }: FindHighlightProps) {
  useEffect(() => {
    const element = list.current;
    if (element === null || text === "" || !("highlights" in CSS)) return;
    let frame = 0;
    const mark = (): void => {
      CSS.highlights.set(NAME, new Highlight(...placesOf(element, text.toLowerCase())));
    };
    const later = (): void => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(mark);
    };
    later();
    const observer = new MutationObserver(later);
    observer.observe(element, { childList: true, subtree: true, characterData: true });
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      CSS.highlights.delete(NAME);
    };
  }, [list, text]);
  useMatchInSight(list, text);
  return null;
}

/** Time for the text of an opened match to arrive, in ms. */
const ARRIVAL_MS = 5000;
/** Frames during which a match must not move before it counts as shown: a text is rendered in steps, and the pane grows. */
const STILL_FRAMES = 20;

/** Scrolls the first match of an opened row into view: in a long text it may be far below the row's first line. The first key, press or turn of the wheel ends it. */
function useMatchInSight(list: RefObject<HTMLElement | null>, text: string): void {
  const { item, visits, rows } = useView("item", "visits", "rows");
  const latest = useRef({ item, rows, text });
  latest.current = { item, rows, text };
  useEffect(() => {
    // Typing a text does not scroll: only opening a match does.
    if (visits === 0) return;
    const until = performance.now() + ARRIVAL_MS;
    let frame = 0;
    let still = 0;
    let last = Number.NaN;
    const look = (): void => {
      const { item: opened, rows: shown, text: wanted } = latest.current;
      const index = opened === null ? undefined : shown.rowOf[opened];
      const row = list.current?.querySelector<HTMLElement>(`[data-index="${index}"]`);
      const [place] = row ? placesOf(row, wanted.toLowerCase(), 1) : [];
      const top = place?.getBoundingClientRect().top ?? Number.NaN;
      still = top === last ? still + 1 : 0;
      last = top;
      // The list itself scrolls to the row first.
      if (place !== undefined && still >= 2) bringInSight(place, list.current);
      if (still < STILL_FRAMES && performance.now() < until) frame = requestAnimationFrame(look);
    };
    const stop = (): void => cancelAnimationFrame(frame);
    const begin = requestAnimationFrame(() => {
      look();
      for (const sign of SIGNS_OF_USE) window.addEventListener(sign, stop, { once: true, passive: true });
    });
    return () => {
      cancelAnimationFrame(begin);
      stop();
      for (const sign of SIGNS_OF_USE) window.removeEventListener(sign, stop);
    };
    // Once for each visit: later changes of the rows do not scroll.
  }, [visits, list]);
}

const SIGNS_OF_USE = ["wheel", "pointerdown", "keydown", "touchstart"] as const;

/** Space between a match and the edge of its scroll area, in pixels. */
const MARGIN = 12;

/** Scrolls every scroll area around a place, up to the list, until the place is in view. */
function bringInSight(place: Range, list: HTMLElement | null): void {
  for (let area = place.startContainer.parentElement; area !== null; area = area.parentElement) {
    const [at, view] = [place.getBoundingClientRect(), area.getBoundingClientRect()];
    const { overflowX, overflowY } = getComputedStyle(area);
    if (/auto|scroll/.test(overflowY) && (at.top < view.top + MARGIN || at.bottom > view.bottom - MARGIN))
      area.scrollTop += at.top - view.top - view.height / 3;
    if (/auto|scroll/.test(overflowX) && (at.left < view.left || at.right > view.right - MARGIN))
      area.scrollLeft += at.left - view.left - view.width / 3;
    if (area === list) return;
  }
}

function placesOf(element: HTMLElement, text: string, most = MAX_MARKED): readonly Range[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const places: Range[] = [];
  for (let node = walker.nextNode(); node !== null && places.length < most; node = walker.nextNode()) {
    const shown = (node.nodeValue ?? "").toLowerCase();
    // A few letters are longer in lower case, so matches after them cannot be located.
    if (shown.length !== node.nodeValue?.length) continue;
    for (let at = shown.indexOf(text); at >= 0 && places.length < most; at = shown.indexOf(text, at + text.length)) {
      const range = new Range();
      range.setStart(node, at);
      range.setEnd(node, at + text.length);
      places.push(range);
    }
  }
  return places;
}
