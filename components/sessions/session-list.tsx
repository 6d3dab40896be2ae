"use client";

import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown, ArrowUp } from "lucide-react";
import { type FocusEvent, type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { useMediaQuery } from "@/components/hooks/use-media-query";
import { useShortcuts } from "@/components/hooks/use-shortcuts";
import { cn } from "@/components/ui/cn";
import type { Sort, SortKey } from "./filters";
import { BoundaryMark } from "./row-parts";
import type { RowView } from "./row-view";
import {
  CARD_HEIGHT,
  CardSkeleton,
  COLUMNS,
  FILTER_HEIGHT,
  HEAD_HEIGHT,
  ROW_HEIGHT,
  TABLE_GRID,
  TABLE_QUERY,
  TableRowSkeleton,
  WIDE_ONLY,
} from "./session-list-skeleton";
import { SessionCard, SessionTableRow } from "./session-rows";
import { keptPosition, type Selection } from "./use-list-state";

interface SessionListProps {
  /** The rows that have arrived: the first ones. */
  readonly rows: readonly RowView[];
  /** Total number of rows. */
  readonly count: number;
  /** Called when rows in view have not arrived. */
  readonly onMissing: () => void;
  readonly selection: Selection;
  readonly sort: Sort;
  readonly onSort: (key: SortKey) => void;
  readonly scroller: RefObject<HTMLElement | null>;
}

/** Rows are requested when fewer than this are left below the visible ones. */
const AHEAD = 30;

/** The sessions: a table if it fits, else cards. Only the visible rows are in the document. */
export function SessionList(props: SessionListProps) {
  const wide = useMediaQuery(TABLE_QUERY);
  const place = useRef<HTMLDivElement>(null);
  const [above, setAbove] = useState(0);

  // Elements above the list come and go (an upload, a heading), and then this component renders again. The position is measured here and not next to
  // the rows: they render at every step of a scroll, and reading a position there would cost a layout each time.
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
  /** Start of the list within the scrolled content, px. */
  readonly above: number;
}

function WideList(props: PlacedListProps) {
  const { rows, count, onMissing, selection, sort, onSort, scroller, above } = props;
  const t = useTranslations("sessions.table");
  const { body, items, height } = useRows({
    count,
    onMissing,
    rows,
    selection,
    rowHeight: ROW_HEIGHT,
    scroller,
    above: above + HEAD_HEIGHT,
    covered: FILTER_HEIGHT + HEAD_HEIGHT,
  });
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows are placed absolutely, which a table element does not take
    <div role="table" aria-label={t("label")} aria-rowcount={count + 1} aria-colcount={COLUMNS.length}>
      <TableHead sort={sort} onSort={onSort} />
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      <div role="rowgroup" {...body} style={{ height, position: "relative" }}>
        {items.map(({ index, top }) => {
          const row = rows[index];
          if (row === undefined) return <TableRowSkeleton key={index} index={index} top={top} />;
          return <SessionTableRow key={row.id} row={row} index={index} top={top} {...selectable(row, selection)} />;
        })}
      </div>
    </div>
  );
}

function NarrowList({ rows, count, onMissing, selection, scroller, above }: PlacedListProps) {
  const t = useTranslations("sessions.table");
  const { body, items, height } = useRows({
    count,
    onMissing,
    rows,
    selection,
    rowHeight: CARD_HEIGHT,
    scroller,
    above,
    covered: 0,
  });
  return (
    <ul aria-label={t("label")} {...body} className="border-t border-line2" style={{ height, position: "relative" }}>
      {items.map(({ index, top }) => {
        const row = rows[index];
        if (row === undefined) return <CardSkeleton key={index} index={index} top={top} />;
        return (
          <SessionCard key={row.id} row={row} index={index} count={count} top={top} {...selectable(row, selection)} />
        );
      })}
    </ul>
  );
}

/** Props for ticking a row. */
function selectable({ id }: RowView, { ids, toggle }: Selection) {
  return { isSelected: ids.includes(id), onSelect: toggle };
}

interface RowsOptions {
  readonly count: number;
  readonly rows: readonly RowView[];
  readonly selection: Selection;
  readonly onMissing: () => void;
  readonly rowHeight: number;
  readonly scroller: RefObject<HTMLElement | null>;
  /** Start of the rows within the scrolled content, px. */
  readonly above: number;
  /** Height of the sticky elements that cover the rows, px. */
  readonly covered: number;
}

/** The visible rows, with `j` and `k` to walk through them, and `x` to select one. */
function useRows({ count, rows, selection, onMissing, rowHeight, scroller, above, covered }: RowsOptions) {
  const arrived = rows.length;
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
    initialOffset: keptPosition,
    // The focused row stays in the document, or the focus would be lost.
    rangeExtractor: useCallback(
      (range: Range) => withRow(defaultRangeExtractor(range), focused, count),
      [focused, count],
    ),
  });

  const items = virtual.getVirtualItems();
  const isMissing = arrived < count && (items.at(-1)?.index ?? 0) >= arrived - AHEAD;
  // Called with every render, since only one page is loading at a time.
  useEffect(() => {
    if (isMissing) onMissing();
  });

  const walk = (step: number) => {
    if (arrived === 0) return;
    const next = focused === null ? 0 : Math.min(arrived - 1, Math.max(0, focused + step));
    setFocused(next);
    virtual.scrollToIndex(next, { align: "auto" });
    requestAnimationFrame(() => linkOf(body.current, next)?.focus({ preventScroll: true }));
  };
  const select = () => {
    const row = focused === null ? undefined : rows[focused];
    if (row !== undefined) selection.toggle(row.id);
  };
  useShortcuts({ j: () => walk(1), k: () => walk(-1), x: select });

  return {
    body: {
      ref: (element: HTMLElement | null) => {
        body.current = element;
      },
      onFocus: (event: FocusEvent) => setFocused(indexOf(event.target)),
    },
    items: items.map(({ index, start }) => ({ index, top: start - above })),
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

interface TableHeadProps {
  readonly sort: Sort;
  readonly onSort: (key: SortKey) => void;
}

/** The head of the table, with buttons that sort. */
function TableHead({ sort, onSort }: TableHeadProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: part of a table made of grids
    <div role="rowgroup" className="sticky top-12 z-10 bg-bg">
      {/* biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: a row of heads; its buttons take the focus */}
      <div
        role="row"
        aria-rowindex={1}
        className={cn(TABLE_GRID, "h-6 border-b border-line2 text-xs font-medium text-t3")}
      >
        {COLUMNS.map((column) => (
          // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: its button takes the focus
          <div
            key={column.key}
            role="columnheader"
            aria-sort={ariaSort(column.key, sort)}
            className={cn(
              "min-w-0",
              "numeric" in column && "flex justify-end",
              "wide" in column && WIDE_ONLY,
              column.key === "context" && "pl-3 truncate",
            )}
          >
            <Head column={column.key} sort={sort} onSort={onSort} />
          </div>
        ))}
      </div>
    </div>
  );
}

/** The head of a column, as a button if the list can be sorted by it. */
function Head({ column, sort, onSort }: TableHeadProps & { readonly column: SortKey | "select" | "context" }) {
  const t = useTranslations("sessions.table");
  if (column === "select") return <span className="sr-only">{t("select")}</span>;
  if (column === "context") return <span title={t("contextNote")}>{t("context")}</span>;
  return <SortButton column={column} sort={sort} onSort={onSort} />;
}

function SortButton({ column, sort, onSort }: TableHeadProps & { readonly column: SortKey }) {
  const t = useTranslations("sessions.table");
  const Arrow = sort.descending ? ArrowDown : ArrowUp;
  return (
    <button
      type="button"
      onClick={() => onSort(column)}
      aria-label={t("sortBy", { column: t(column) })}
      title={column === "compactions" ? t("compactions") : column === "cost" ? t("costNote") : undefined}
      className={cn("flex h-6 max-w-full items-center gap-0.5 hover:text-t1", sort.key === column && "text-t1")}
    >
      {column === "compactions" && (
        <span className="@min-[86rem]:hidden">
          <BoundaryMark />
        </span>
      )}
      <span className={cn("truncate", column === "compactions" && "@max-[86rem]:hidden")}>{t(column)}</span>
      {sort.key === column && <Arrow aria-hidden className="size-3 shrink-0" />}
    </button>
  );
}

function ariaSort(column: SortKey | "select" | "context", sort: Sort): "ascending" | "descending" | undefined {
  if (sort.key !== column) return undefined;
  return sort.descending ? "descending" : "ascending";
}
