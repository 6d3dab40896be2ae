import { useMemo } from "react";
import { useCursorActions } from "../state/cursor";

/** Keys for the next and the previous item. */
export function useItemKeys(): { readonly next: () => void; readonly previous: () => void } {
  const { step } = useCursorActions();
  return useMemo(() => ({ next: () => step(1), previous: () => step(-1) }), [step]);
}
