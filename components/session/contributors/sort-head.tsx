import { ArrowDown, ArrowUp } from "lucide-react";
import { useTranslations } from "use-intl";
import { cn } from "@/components/ui/cn";
import { TableHead } from "@/components/ui/table";
import type { ContributorSort } from "../state/url-state";

interface SortHeadProps {
  readonly column: ContributorSort;
  readonly label: string;
  readonly sort: ContributorSort;
  readonly up: boolean;
  readonly onSort: (key: ContributorSort) => void;
  readonly className: string;
}

/** A column head that sorts by its column; pressing it again reverses the order. */
export function SortHead({ column, label, sort, up, onSort, className }: SortHeadProps) {
  const t = useTranslations("contributors");
  const sorted = column === sort;
  // Names start in ascending order, numbers with the largest.
  const ascending = up !== (column === "name");
  const Arrow = ascending ? ArrowUp : ArrowDown;
  const numeric = column !== "name";
  return (
    <TableHead
      numeric={numeric}
      aria-sort={sorted ? (ascending ? "ascending" : "descending") : undefined}
      className={className}
    >
      <button
        type="button"
        onClick={() => onSort(column)}
        aria-label={t("sortBy", { column: label })}
        className={cn(
          "inline-flex h-6 items-center gap-0.5 hover:text-t1 touch:h-10 max-md:leading-tight max-md:whitespace-normal",
          numeric && "text-right",
          sorted && "text-t1",
        )}
      >
        {label}
        {sorted && <Arrow aria-hidden className="size-3 shrink-0" />}
      </button>
    </TableHead>
  );
}
