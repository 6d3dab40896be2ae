import { useEffect, useState } from "react";

/** Largest text that is parsed for display; a larger one is shown as written. */
export const MAX_READ_CHARS = 200_000;

/** Largest text that is parsed as Markdown, which takes longer. */
export const MAX_MARKDOWN_CHARS = 40_000;

/**
 * Limits of coloured code: only the beginning of a longer text, up to the first line that is longer than code has. Colouring takes time proportional to the
 * text's length, and to the square of the length of a hostile line.
 */
export const MAX_COLOURED = { chars: 8000, line: 400, parts: 2000 };

/** Number of rendered chunks of a large text: one at first, and one more in every frame, so that the page is never busy for long. */
export function useGradually(parts: number): number {
  const [drawn, setDrawn] = useState(1);
  useEffect(() => {
    if (drawn >= parts) return;
    const frame = requestAnimationFrame(() => setDrawn(drawn + 1));
    return () => cancelAnimationFrame(frame);
  }, [drawn, parts]);
  return Math.min(drawn, parts);
}
