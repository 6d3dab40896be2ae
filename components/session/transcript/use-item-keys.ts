"use client";

import { useMemo } from "react";
import { useCursor, useCursorActions } from "../state/cursor";
import { itemOfRequest } from "../state/item-requests";
import { useSession } from "../state/session-data";

/** Next and previous item: from the selected one, else from the pointed request. */
export function useItemKeys(): { readonly next: () => void; readonly previous: () => void } {
  const { columns } = useSession();
  const { item, hover, pin } = useCursor();
  const { select } = useCursorActions();
  return useMemo(() => {
    const pointed = hover ?? pin;
    const from = item ?? (pointed === null ? -1 : itemOfRequest(columns, pointed));
    const last = columns.length - 1;
    const go = (to: number): void => {
      if (last >= 0) select(Math.max(0, Math.min(last, to)));
    };
    return { next: () => go(from + 1), previous: () => go(Math.max(0, from) - 1) };
  }, [columns, item, hover, pin, select]);
}
