import { type RefObject, useEffect } from "react";

/** The name that the style sheet knows the places by. */
const NAME = "find";
/** Maximum number of highlighted matches: more than a screen can show. */
const MOST_MARKED = 1000;

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
  return null;
}

function placesOf(element: HTMLElement, text: string): readonly Range[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const places: Range[] = [];
  for (let node = walker.nextNode(); node !== null && places.length < MOST_MARKED; node = walker.nextNode()) {
    const shown = (node.nodeValue ?? "").toLowerCase();
    // A few letters are longer in lower case, so matches after them cannot be located.
    if (shown.length !== node.nodeValue?.length) continue;
    for (
      let at = shown.indexOf(text);
      at >= 0 && places.length < MOST_MARKED;
      at = shown.indexOf(text, at + text.length)
    ) {
      const range = new Range();
      range.setStart(node, at);
      range.setEnd(node, at + text.length);
      places.push(range);
    }
  }
  return places;
}
