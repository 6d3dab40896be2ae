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
    <div role="status" aria-label={t("loading")}>
      <div aria-hidden className="flex h-12 items-center gap-2 px-4 max-lg:hidden">
        <Skeleton className="h-7 w-60" />
        {["w-18", "w-20", "w-18", "w-24", "w-24"].map((width, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a fixed row of boxes
          <Skeleton key={index} className={cn("h-7", width)} />
        ))}
      </div>
      <div aria-hidden className="h-6 border-b border-line2 max-lg:hidden" />
      <div aria-hidden className="h-33 border-b border-line2 px-4 py-2.5 lg:hidden">
        <Skeleton className="h-10 w-full" />
      </div>
      {ROWS.map((row) => (
        <SkeletonRow key={row} title={TITLE_WIDTHS[row % TITLE_WIDTHS.length] ?? 50} />
      ))}
    </div>
  );
}

function SkeletonRow({ title }: { readonly title: number }) {
  return (
    <>
      <div className={cn(TABLE_GRID, "h-9 border-b border-line max-lg:hidden")}>
        {COLUMNS.map(({ key }) => (
          <Skeleton
            key={key}
            className={cn("h-3", key === "context" && "ml-3 h-4")}
            {...(key === "title" && { style: { width: `${title}%` } })}
          />
        ))}
      </div>
      <div className="flex h-23 flex-col justify-center gap-2.5 border-b border-line px-4 lg:hidden">
        <Skeleton className="h-3.5" style={{ width: `${title}%` }} />
        <Skeleton className="h-3 w-1/2" />
        <Skeleton className="h-4 w-full" />
      </div>
    </>
  );
}
