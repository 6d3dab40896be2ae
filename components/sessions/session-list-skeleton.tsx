"use client";

import { useTranslations } from "use-intl";
import { cn } from "@/components/ui/cn";
import { Skeleton } from "@/components/ui/skeleton";
import { COLUMNS, TABLE_GRID } from "./columns";

const ROWS = Array.from({ length: 18 }, (_, row) => row);
/** Widths of the placeholders for titles, in percent; uneven, as titles are. */
const TITLE_WIDTHS = [62, 44, 71, 38, 55, 49] as const;

/** Stands in for the list before its first answer. Its rows have their final height, so that nothing moves when the list arrives. */
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

/** Stands in for a row of the table that has not arrived. */
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

/** Stands in for a card that has not arrived. */
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
  return COLUMNS.map(({ key }) => (
    <Skeleton
      key={key}
      className={cn("h-3", key === "context" && "ml-3 h-4")}
      {...(key === "title" && { style: { width: `${title}%` } })}
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
