import type { Virtualizer } from "@tanstack/react-virtual";
import { useEffect } from "react";
import { useCursor } from "../state/cursor";
import { itemOfRequest } from "../state/item-requests";
import { useSession } from "../state/session-data";

type List = Virtualizer<HTMLElement, Element>;

/** Scrolls the selected item into view: to the edge if it is near, to the middle if it is far away. */
export function useFollow(list: List): void {
  const { columns } = useSession();
  const { item: selected, pin } = useCursor();
  const item = selected ?? (pin === null ? null : itemOfRequest(columns, pin));
  useEffect(() => {
    if (item === null) return;
    const range = list.range;
    const near = range !== null && item >= range.startIndex - 3 && item <= range.endIndex + 3;
    list.scrollToIndex(item, { align: near ? "auto" : "center" });
  }, [item, list]);
}
