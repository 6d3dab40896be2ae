"use client";

import { useTranslations } from "use-intl";
import { cn } from "@/components/ui/cn";
import { Skeleton } from "@/components/ui/status";
import type { SortKey } from "./filters";

/**
 * Columns of the table in order. `context` is the sparkline: the list cannot be sorted by it, only by its peak. `select` has the checkboxes.
 * `wide` columns are shown where the list is wide enough (`WIDE_ONLY`).
 */
export const COLUMNS = [
  { key: "select" },
  { key: "title" },
  { key: "agent" },
  { key: "project" },
  { key: "model", wide: true },
  { key: "when" },
  { key: "requests", numeric: true },
  { key: "context" },
  { key: "peak", numeric: true },
  { key: "compactions", numeric: true },
  { key: "sent", numeric: true },
  { key: "cost", numeric: true },
  { key: "notRead", numeric: true, wide: true },
] as const satisfies readonly {
  readonly key: SortKey | "select" | "context";
  readonly numeric?: true;
  readonly wide?: true;
}[];

/** Hides the cells of `wide` columns in a narrow list, for the titles. */
export const WIDE_ONLY = "@max-[72rem]:hidden";

/** Tracks of the table, its head and the skeleton. They depend on the width of the list, which shares the screen with filters. */
export const TABLE_GRID =
  "grid items-center gap-3 px-4 grid-cols-[1rem_minmax(0,1fr)_2.75rem_6rem_6rem_4.25rem_5.25rem_3rem_1.5rem_4.25rem_4.5rem] @min-[72rem]:grid-cols-[1rem_minmax(0,1fr)_2.25rem_5.5rem_7rem_6rem_3.75rem_9rem_2.75rem_1.5rem_3.75rem_4.25rem_3rem] @min-[86rem]:grid-cols-[1rem_minmax(0,1fr)_2.25rem_6rem_8.5rem_6rem_3.75rem_10.5rem_2.75rem_4.75rem_3.75rem_4.25rem_3rem] @min-[104rem]:grid-cols-[1rem_minmax(0,1fr)_2.75rem_10rem_14rem_6.5rem_4.5rem_13rem_3rem_5rem_5rem_5.5rem_4rem]";

/** Heights in px, final from the first frame on. */
export const ROW_HEIGHT = 36;
export const CARD_HEIGHT = 92;
export const HEAD_HEIGHT = 24;
export const FILTER_HEIGHT = 48;

/** From this width on the list is a table, below it a list of cards. The width equals Tailwind's `lg`. */
export const TABLE_QUERY = "(width >= 64rem)";

const ROWS = Array.from({ length: 18 }, (_, row) => row);
/** Widths of the placeholders for titles, in percent; uneven, as titles are. */
const TITLE_WIDTHS = [62, 44, 71, 38, 55, 49] as const;

/** Placeholder of the list before its first answer. Its rows have their final height, so that nothing moves when the list arrives. */
export function SessionListSkeleton() {
  const t = useTranslations("sessions.table");
  return (
    <div role="status" aria-label={t("loading")} className="@container 2xl:ml-56">
      <div aria-hidden className="flex h-12 items-center px-4 max-lg:hidden">
        <Skeleton className="h-7 w-80" />
      </div>
      <div aria-hidden className="h-6 border-b border-line2 max-lg:hidden" />
      <div aria-hidden className="h-33 border-b border-line2 px-4 py-2.5 lg:hidden">
        <Skeleton className="h-10 w-full" />
      </div>
      {ROWS.map((row) => (
        <SkeletonRow key={row} title={titleWidth(row)} />
      ))}
    </div>
  );
}

function SkeletonRow({ title }: { readonly title: number }) {
  return (
    <>
      <div className={cn(TABLE_GRID, "h-9 border-b border-line max-lg:hidden")}>
        <TableCells title={title} />
      </div>
      <div className="flex h-23 flex-col justify-center gap-2.5 border-b border-line px-4 lg:hidden">
        <CardLines title={title} />
      </div>
    </>
  );
}

interface PlacedProps {
  readonly index: number;
  /** Vertical position in the list, px. */
  readonly top: number;
}

/** Placeholder of a table row that has not arrived. */
export function TableRowSkeleton({ index, top }: PlacedProps) {
  return (
    <div
      aria-hidden
      style={{ transform: `translateY(${top}px)` }}
      className={cn(TABLE_GRID, "contain-strict absolute inset-x-0 top-0 h-9 border-b border-line")}
    >
      <TableCells title={titleWidth(index)} />
    </div>
  );
}

/** Placeholder of a card that has not arrived. */
export function CardSkeleton({ index, top }: PlacedProps) {
  return (
    <li
      aria-hidden
      style={{ transform: `translateY(${top}px)` }}
      className="contain-strict absolute inset-x-0 top-0 flex h-23 flex-col justify-center gap-2.5 border-b border-line px-4"
    >
      <CardLines title={titleWidth(index)} />
    </li>
  );
}

function titleWidth(row: number): number {
  return TITLE_WIDTHS[row % TITLE_WIDTHS.length] ?? 50;
}

function TableCells({ title }: { readonly title: number }) {
  return COLUMNS.map((column) => (
    <Skeleton
      key={column.key}
      className={cn("h-3", column.key === "context" && "ml-3 h-4", "wide" in column && WIDE_ONLY)}
      {...(column.key === "title" && { style: { width: `${title}%` } })}
    />
  ));
}

function CardLines({ title }: { readonly title: number }) {
  return (
    <>
      <Skeleton className="h-3.5" style={{ width: `${title}%` }} />
      <Skeleton className="h-3 w-1/2" />
      <Skeleton className="h-4 w-full" />
    </>
  );
}
