"use client";

import { ArrowDown, ArrowUp } from "lucide-react";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import { firstDirection, SORT_KEYS, type Sort } from "./filters";

interface SortMenuProps {
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
  readonly className?: string;
}

const DIRECTIONS = ["ascending", "descending"] as const;

/** Selects the sort order and its direction where there is no table head to click. */
export function SortMenu({ sort, onSort, className }: SortMenuProps) {
  const t = useTranslations("sessions");
  const Arrow = sort.descending ? ArrowDown : ArrowUp;
  const direction = sort.descending ? "descending" : "ascending";
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button
          className={`font-normal ${className ?? ""}`}
          aria-label={`${t("filter.sort")}: ${t(`table.${sort.key}`)}, ${t(`filter.${direction}`)}`}
        >
          <Arrow aria-hidden />
          {t(`table.${sort.key}`)}
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        <DropdownMenuRadioGroup
          value={direction}
          onValueChange={(value) => onSort({ ...sort, descending: value === "descending" })}
        >
          {DIRECTIONS.map((one) => (
            <DropdownMenuRadioItem key={one} value={one}>
              {t(`filter.${one}`)}
            </DropdownMenuRadioItem>
          ))}
        </DropdownMenuRadioGroup>
        <DropdownMenuSeparator />
        <DropdownMenuRadioGroup
          aria-label={t("filter.sort")}
          value={sort.key}
          onValueChange={(value) => {
            const key = SORT_KEYS.find((known) => known === value);
            if (key !== undefined) onSort(firstDirection(key));
          }}
        >
          {SORT_KEYS.map((key) => (
            <DropdownMenuRadioItem key={key} value={key}>
              {t(`table.${key}`)}
            </DropdownMenuRadioItem>
          ))}
        </DropdownMenuRadioGroup>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
