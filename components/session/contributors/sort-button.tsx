import { ArrowDown, ArrowUp } from "lucide-react";
import { useTranslations } from "use-intl";
import { cn } from "@/components/ui/cn";
import type { ContributorSort } from "../shared/state/url-state";

interface SortButtonProps {
  readonly column: ContributorSort;
  readonly label: string;
  readonly sort: ContributorSort;
  readonly up: boolean;
  readonly onSort: (key: ContributorSort) => void;
}

/** The direction of a sorted column: names start in ascending order, numbers with the largest; `up` reverses that. */
export function directionOf(column: ContributorSort, up: boolean): "ascending" | "descending" {
  return up !== (column === "name") ? "ascending" : "descending";
}

/** A column's head: it sorts by its column; pressing it again reverses the order. */
export function SortButton({ column, label, sort, up, onSort }: SortButtonProps) {
  const t = useTranslations("contributors");
  const sorted = column === sort;
  const Arrow = directionOf(column, up) === "ascending" ? ArrowUp : ArrowDown;
  return (
    <button
      type="button"
      onClick={() => onSort(column)}
      aria-label={t("sortBy", { column: label })}
      className={cn(
        "inline-flex h-6 items-center gap-0.5 hover:text-t1 touch:h-10 max-md:leading-tight max-md:whitespace-normal",
        column !== "name" && "text-right",
        sorted && "text-t1",
      )}
    >
      {label}
      {sorted && <Arrow aria-hidden className="size-3 shrink-0" />}
    </button>
  );
}
