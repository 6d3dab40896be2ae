import { useMemo } from "react";
import { useReaderActions } from "../shared/state/reader";

/** Keys for the next and the previous item. */
export function useItemKeys(): { readonly next: () => void; readonly previous: () => void } {
  const { step } = useReaderActions();
  return useMemo(() => ({ next: () => step(1), previous: () => step(-1) }), [step]);
}
