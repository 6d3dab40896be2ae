"use client";

import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { type FocusEvent, type RefObject, useCallback, useLayoutEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { useMediaQuery } from "@/components/hooks/use-media-query";
import { useShortcuts } from "@/components/hooks/use-shortcuts";
import { CARD_HEIGHT, COLUMNS, FILTER_HEIGHT, HEAD_HEIGHT, ROW_HEIGHT, TABLE_QUERY } from "./columns";
import type { Sort, SortKey } from "./row-selection";
import type { RowView } from "./row-view";
import { SessionCard } from "./session-card";
import { SessionTableRow } from "./session-table-row";
import { TableHead } from "./table-head";

interface SessionListProps {
  readonly rows: readonly RowView[];
  readonly sort: Sort;
  readonly onSort: (key: SortKey) => void;
  /** The element that scrolls. */
  readonly scroller: RefObject<HTMLElement | null>;
}

/** The sessions: a table where there is room, cards where there is not. Only the visible rows are in the document. */
export function SessionList(props: SessionListProps) {
  const wide = useMediaQuery(TABLE_QUERY);
  const place = useRef<HTMLDivElement>(null);
  const [above, setAbove] = useState(0);

  // Elements above the list come and go (an upload, a heading), and then this component is drawn again. The position is measured here and
  // not beside the rows: they are drawn at every step of a scroll, and reading a position there would cost a layout each time.
  useLayoutEffect(() => {
    const top = place.current?.offsetTop ?? 0;
    if (top !== above) setAbove(top);
  });

  // Two lists, because their rows differ in height: a new key drops the measured heights.
  return (
    <div ref={place}>
      {wide ? <WideList key="table" {...props} above={above} /> : <NarrowList key="cards" {...props} above={above} />}
    </div>
  );
}

interface PlacedListProps extends SessionListProps {
  /** Where the list begins within the scrolled content, px. */
  readonly above: number;
}

function WideList({ rows, sort, onSort, scroller, above }: PlacedListProps) {
  const t = useTranslations("sessions.table");
  const { body, items, height } = useRows({
    count: rows.length,
    rowHeight: ROW_HEIGHT,
    scroller,
    above: above + HEAD_HEIGHT,
    covered: FILTER_HEIGHT + HEAD_HEIGHT,
  });
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows are placed absolutely, which a table element does not take
    <div role="table" aria-label={t("label")} aria-rowcount={rows.length + 1} aria-colcount={COLUMNS.length}>
      <TableHead sort={sort} onSort={onSort} />
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      <div role="rowgroup" {...body} style={{ height, position: "relative" }}>
        {items.map(({ index, top }) => {
          const row = rows[index];
          return row && <SessionTableRow key={row.id} row={row} index={index} top={top} />;
        })}
      </div>
    </div>
  );
}

function NarrowList({ rows, scroller, above }: PlacedListProps) {
  const t = useTranslations("sessions.table");
  const { body, items, height } = useRows({ count: rows.length, rowHeight: CARD_HEIGHT, scroller, above, covered: 0 });
  return (
    <ul aria-label={t("label")} {...body} className="border-t border-line2" style={{ height, position: "relative" }}>
      {items.map(({ index, top }) => {
        const row = rows[index];
        return row && <SessionCard key={row.id} row={row} index={index} count={rows.length} top={top} />;
      })}
    </ul>
  );
}

interface RowsOptions {
  readonly count: number;
  readonly rowHeight: number;
  readonly scroller: RefObject<HTMLElement | null>;
  /** Where the rows begin within the scrolled content, px. */
  readonly above: number;
  /** Height of the sticky elements that cover the rows, px. */
  readonly covered: number;
}

/** The visible rows, and `j` and `k` to walk through them. */
function useRows({ count, rowHeight, scroller, above, covered }: RowsOptions) {
  const body = useRef<HTMLElement | null>(null);
  const [focused, setFocused] = useState<number | null>(null);

  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 6,
    scrollMargin: above,
    scrollPaddingStart: covered,
    initialRect: { width: 0, height: 900 },
    // The focused row stays in the document, or the focus would be lost with it.
    rangeExtractor: useCallback(
      (range: Range) => withRow(defaultRangeExtractor(range), focused, count),
      [focused, count],
    ),
  });

  const walk = (step: number) => {
    if (count === 0) return;
    const next = focused === null ? 0 : Math.min(count - 1, Math.max(0, focused + step));
    setFocused(next);
    virtual.scrollToIndex(next, { align: "auto" });
    requestAnimationFrame(() => linkOf(body.current, next)?.focus({ preventScroll: true }));
  };
  useShortcuts({ j: () => walk(1), k: () => walk(-1) });

  return {
    body: {
      ref: (element: HTMLElement | null) => {
        body.current = element;
      },
      onFocus: (event: FocusEvent) => setFocused(indexOf(event.target)),
    },
    items: virtual.getVirtualItems().map(({ index, start }) => ({ index, top: start - above })),
    height: count * rowHeight,
  };
}

function withRow(indices: number[], row: number | null, count: number): number[] {
  if (row === null || row >= count || indices.includes(row)) return indices;
  return [...indices, row].sort((a, b) => a - b);
}

function linkOf(body: HTMLElement | null, index: number): HTMLElement | null {
  return body?.querySelector<HTMLElement>(`[data-index="${index}"] a`) ?? null;
}

function indexOf(target: EventTarget): number | null {
  const row = target instanceof Element ? target.closest<HTMLElement>("[data-index]") : null;
  return row === null ? null : Number(row.dataset.index);
}
