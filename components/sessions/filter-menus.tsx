"use client";

import { ArrowDownUp, ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { Button } from "@/components/ui/button";
import {
  DropdownMenu,
  DropdownMenuCheckboxItem,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import { firstDirection, type Option, SORT_KEYS, type Sort } from "./row-selection";

interface FilterMenuProps {
  readonly name: string;
  /** The selected values in words; `null` where nothing is filtered. */
  readonly value: string | null;
  readonly children: ReactNode;
}

function FilterMenu({ name, value, children }: FilterMenuProps) {
  const t = useTranslations("sessions.filter");
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button className="font-normal" {...(value !== null && { "aria-label": t("chosen", { name, value }) })}>
          <span className={value === null ? undefined : "text-t2"}>{name}</span>
          {value !== null && <span className="max-w-32 truncate font-medium">{value}</span>}
          <ChevronDown aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent className="max-w-[min(24rem,calc(100vw-16px))]">{children}</DropdownMenuContent>
    </DropdownMenu>
  );
}

interface ListFilterProps {
  readonly name: string;
  readonly options: readonly Option[];
  readonly chosen: readonly string[];
  readonly onChoose: (chosen: string[] | null) => void;
}

/** Selects any number of values. The menu stays open while values are ticked. */
export function ListFilter({ name, options, chosen, onChoose }: ListFilterProps) {
  const t = useTranslations("sessions.filter");
  const format = useFormat();
  const labels = chosen.map((value) => options.find((option) => option.value === value)?.label ?? value);
  return (
    <FilterMenu name={name} value={chosen.length === 0 ? null : format.list(labels)}>
      {options.length === 0 && <DropdownMenuItem disabled>{t("nothing")}</DropdownMenuItem>}
      {options.map((option) => (
        <DropdownMenuCheckboxItem
          key={option.value}
          checked={chosen.includes(option.value)}
          onSelect={(event) => event.preventDefault()}
          onCheckedChange={(checked) => {
            const others = chosen.filter((value) => value !== option.value);
            onChoose(checked ? [...others, option.value] : others.length === 0 ? null : others);
          }}
        >
          <span className="min-w-0 grow truncate">{option.label}</span>
          <span className="pl-4 text-sm text-t3">{format.count(option.count)}</span>
        </DropdownMenuCheckboxItem>
      ))}
      {chosen.length > 0 && (
        <>
          <DropdownMenuSeparator />
          <DropdownMenuItem onSelect={() => onChoose(null)}>{t("any")}</DropdownMenuItem>
        </>
      )}
    </FilterMenu>
  );
}

interface ChoiceFilterProps<Value extends string> {
  readonly name: string;
  /** The values to choose from, each with its words in the menu and its words beside the name once it is selected. */
  readonly choices: readonly { readonly value: Value; readonly words: string; readonly short: string }[];
  readonly chosen: Value | null;
  readonly onChoose: (chosen: Value | null) => void;
}

/** Selects one of a few values, or any. */
export function ChoiceFilter<Value extends string>({ name, choices, chosen, onChoose }: ChoiceFilterProps<Value>) {
  const t = useTranslations("sessions.filter");
  return (
    <FilterMenu name={name} value={choices.find(({ value }) => value === chosen)?.short ?? null}>
      <DropdownMenuRadioGroup
        value={chosen ?? ""}
        onValueChange={(value) => onChoose(choices.find((one) => one.value === value)?.value ?? null)}
      >
        <DropdownMenuRadioItem value="">{t("any")}</DropdownMenuRadioItem>
        {choices.map(({ value, words }) => (
          <DropdownMenuRadioItem key={value} value={value}>
            {words}
          </DropdownMenuRadioItem>
        ))}
      </DropdownMenuRadioGroup>
    </FilterMenu>
  );
}

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
