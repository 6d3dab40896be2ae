import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { neighbour } from "../shared/state/rows";
import { useView, useViewActions } from "../shared/state/stores";

/** Marks the button of a row; its value is the item. */
export const ROW_ATTRIBUTE = "data-row";

interface RovingRow {
  /** The focused row. It must stay rendered when it is scrolled out of view, or the focus would be lost. */
  readonly focused: number | null;
  readonly listeners: {
    readonly onKeyDown: (event: KeyboardEvent) => void;
    readonly onFocus: (event: FocusEvent) => void;
    readonly onBlur: () => void;
  };
}

/**
 * Arrow keys, Home and End move from row to row and select on the way; the left arrow folds the trace of a row. The focus follows the selected row
 * while a row has the focus, and after every step by key, so that Enter opens the selected row.
 */
export function useRovingRow(list: RefObject<HTMLElement | null>): RovingRow {
  const { item: selected, rows, steps } = useView("item", "rows", "steps");
  const { show, step, fold } = useViewActions();
  const [focused, setFocused] = useState<number | null>(null);
  const followed = useRef(steps);
  // Rows that are added or removed do not move the focus.
  const latestRows = useRef(rows);
  latestRows.current = rows;
  useEffect(() => {
    const hasStepped = followed.current !== steps;
    followed.current = steps;
    if (selected === null || (!hasStepped && rowOf(document.activeElement) === null)) return;
    const row = list.current?.querySelector(`[${ROW_ATTRIBUTE}="${neighbour(latestRows.current, selected, 0)}"]`);
    if (row instanceof HTMLElement) row.focus({ preventScroll: true });
  }, [list, selected, steps]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rowOf(event.target);
    if (row === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    // Keys come faster than frames: from the selected row the step starts at the current state, not at the last rendered one.
    if (by !== 0 && selected !== null && row === neighbour(rows, selected, 0)) step(by);
    else if (by !== 0) show(neighbour(rows, row, by));
    else if (event.key === "ArrowLeft") fold(row);
    else if (event.key === "Home") show(rows.items[0] ?? 0);
    else if (event.key === "End") show(rows.items.at(-1) ?? 0);
    else return;
    // The list scrolls by itself; in a low window the page has to scroll to the list.
    list.current?.scrollIntoView({ block: "nearest" });
    event.preventDefault();
  };
  return {
    focused,
    listeners: { onKeyDown, onFocus: (event) => setFocused(rowOf(event.target)), onBlur: () => setFocused(null) },
  };
}

function rowOf(target: EventTarget | null): number | null {
  const value = target instanceof Element ? target.getAttribute(ROW_ATTRIBUTE) : null;
  return value === null ? null : Number(value);
}
