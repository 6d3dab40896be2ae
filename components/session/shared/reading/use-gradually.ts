import { useEffect, useState } from "react";

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
