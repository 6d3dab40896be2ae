"use client";

import { ArrowDownUp } from "lucide-react";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import { firstDirection, SORT_KEYS, type Sort } from "./filters";

interface SortMenuProps {
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
  readonly className?: string;
}

/** Selects the sort order where there is no table head to click. */
export function SortMenu({ sort, onSort, className }: SortMenuProps) {
  const t = useTranslations("sessions");
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button
          className={`font-normal ${className ?? ""}`}
          aria-label={`${t("filter.sort")}: ${t(`table.${sort.key}`)}`}
        >
          <ArrowDownUp aria-hidden />
          {t(`table.${sort.key}`)}
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        <DropdownMenuRadioGroup
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
