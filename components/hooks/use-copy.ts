import { useEffect, useRef, useState } from "react";

/** Display time of the result. */
const SHOWN_MS = 2000;

/**
 * A copy function, and its last result while that is displayed.
 * @returns the result, and the function, which takes `undefined` for an unavailable text
 */
export function useCopy(): ["copied" | "refused" | undefined, (text: string | undefined) => Promise<void>] {
  const [result, setResult] = useState<"copied" | "refused">();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async (text: string | undefined): Promise<void> => {
    setResult(text !== undefined && (await copyText(text)) ? "copied" : "refused");
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setResult(undefined), SHOWN_MS);
  };
  return [result, copy];
}

/** Copies a text to the clipboard. Returns false if the browser refuses, or offers no clipboard because the page is not secure. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
