"use client";

import type { Virtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import { useCursor } from "../state/cursor";
import { itemOfRequest } from "../state/item-requests";
import { useSession } from "../state/session-data";
import type { TranscriptRows } from "./rows";

type List = Virtualizer<HTMLElement, Element>;

/** Brings the selected item into view: at the edge when it is near, in the middle when it is far. */
export function useFollow(list: List, rows: TranscriptRows): void {
  const { columns } = useSession();
  const { item: selected, pin } = useCursor();
  const item = selected ?? (pin === null ? null : itemOfRequest(columns, pin));
  const latest = useRef(rows);
  latest.current = rows;
  useEffect(() => {
    if (item === null) return;
    const index = latest.current.indexOfItem(item);
    const range = list.range;
    const near = range !== null && index >= range.startIndex - 3 && index <= range.endIndex + 3;
    list.scrollToIndex(index, { align: near ? "auto" : "center" });
  }, [item, list]);
}
