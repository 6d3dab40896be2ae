import type { Virtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import { useCursor } from "../state/cursor";
import { itemOfRequest } from "../state/item-requests";
import { useReader } from "../state/reader";
import { useSession } from "../state/session-data";
import { alignment } from "./alignment";
import { neighbour } from "./rows";

type List = Virtualizer<HTMLElement, Element>;

/** Scrolls the selected item into view, unless its first line is in view: a row that is pressed stays where it is. */
export function useFollow(list: List, rowPx: number): void {
  const { columns } = useSession();
  const { item: selected, pin } = useCursor();
  const { rows, opened } = useReader();
  const item = selected ?? (pin === null ? null : itemOfRequest(columns, pin));
  // Rows that come, go or open do not scroll the list.
  const latest = useRef({ rows, opened });
  latest.current = { rows, opened };
  useEffect(() => {
    if (item === null) return;
    const { rows: shown, opened: open } = latest.current;
    const row = shown.rowOf[item] ?? 0;
    const measured = list.measurementsCache[row];
    // A row that has just been opened is not measured yet.
    const isOpen = open.has(neighbour(shown, item, 0));
    const place = measured && { start: measured.start, size: isOpen ? Number.POSITIVE_INFINITY : measured.size };
    // The element itself: the list hears of a scroll one frame later.
    const view = { from: list.scrollElement?.scrollTop ?? 0, height: list.scrollRect?.height ?? 0 };
    const align = place === undefined ? "center" : alignment(place, view, rowPx);
    if (align !== undefined) list.scrollToIndex(row, { align });
  }, [item, list, rowPx]);
}
