import { useEffect, useState } from "react";

/** The largest text that is taken apart to be read; a larger one is shown as it is written. */
export const MOST_READ_CHARS = 200_000;

/** The largest text that is read as Markdown, which takes longer to take apart. */
export const MOST_MARKDOWN_CHARS = 40_000;

/**
 * How much of a text is coloured: only its beginning where it is longer, and nothing from a line on that is longer than lines of code are. Colouring takes time with the length of a
 * text, and with the square of the length of a line that was made for that.
 */
export const MOST_COLOURED = { chars: 8000, line: 400, parts: 2000 };

/** How many parts of something large are drawn: one at first, and one more in every frame, so that the page is never busy for long. */
export function useGradually(parts: number): number {
  const [drawn, setDrawn] = useState(1);
  useEffect(() => {
    if (drawn >= parts) return;
    const frame = requestAnimationFrame(() => setDrawn(drawn + 1));
    return () => cancelAnimationFrame(frame);
  }, [drawn, parts]);
  return Math.min(drawn, parts);
}
