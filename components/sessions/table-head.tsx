"use client";

import { ArrowDown, ArrowUp } from "lucide-react";
import { useTranslations } from "use-intl";
import { cn } from "@/components/ui/cn";
import { BoundaryMark } from "./boundary-mark";
import { COLUMNS, TABLE_GRID } from "./columns";
import type { Sort, SortKey } from "./filters";

interface TableHeadProps {
  readonly sort: Sort;
  readonly onSort: (key: SortKey) => void;
}

/** The head of the table, with buttons that sort. */
export function TableHead({ sort, onSort }: TableHeadProps) {
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

/** What stands above a column: what it is, as a button where the list can be sorted by it. */
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
      {column === "compactions" ? <BoundaryMark /> : <span className="truncate">{t(column)}</span>}
      {sort.key === column && <Arrow aria-hidden className="size-3 shrink-0" />}
    </button>
  );
}

function ariaSort(column: SortKey | "select" | "context", sort: Sort): "ascending" | "descending" | undefined {
  if (sort.key !== column) return undefined;
  return sort.descending ? "descending" : "ascending";
}
