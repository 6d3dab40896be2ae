import type { Virtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import { useCursor } from "../state/cursor";
import { itemOfRequest } from "../state/item-requests";
import { useReader } from "../state/reader";
import { useSession } from "../state/session-data";
import { alignment } from "./alignment";

type List = Virtualizer<HTMLElement, Element>;

/** Scrolls the selected item into view, unless its first line is in view: a row that is pressed stays where it is. */
export function useFollow(list: List, rowPx: number): void {
  const { columns } = useSession();
  const { item: selected, pin } = useCursor();
  const { rows } = useReader();
  const item = selected ?? (pin === null ? null : itemOfRequest(columns, pin));
  // Rows that come or go do not move the selection.
  const latestRows = useRef(rows);
  latestRows.current = rows;
  useEffect(() => {
    if (item === null) return;
    const row = latestRows.current.rowOf[item] ?? 0;
    const place = list.measurementsCache[row];
    const view = { from: list.scrollOffset ?? 0, height: list.scrollRect?.height ?? 0 };
    const align = place === undefined ? "center" : alignment(place, view, rowPx);
    if (align !== undefined) list.scrollToIndex(row, { align });
  }, [item, list, rowPx]);
}
