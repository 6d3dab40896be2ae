"use client";

import { X } from "lucide-react";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import type { SessionChoices } from "@/lib/api/types";
import { chosenOptions, toggled } from "./facets";
import { labelOf, useFacetWords } from "./use-facet-words";
import type { ListState } from "./use-list-state";

interface FilterChipsProps {
  readonly list: ListState;
  readonly choices: SessionChoices | undefined;
}

/** What is chosen, each as a button that takes it back. */
export function FilterChips({ list, choices }: FilterChipsProps) {
  const t = useTranslations("sessions.filter");
  const words = useFacetWords();
  const { filters, set, clear } = list;
  const chosen = chosenOptions(filters);
  if (chosen.length === 0) return null;
  return (
    <ul aria-label={t("chosenLabel")} className="flex flex-wrap items-center gap-1.5 px-4 pb-2">
      {chosen.map(({ facet, value }) => {
        const name = words.option(facet, { value, label: labelOf(facet, value, choices) });
        return (
          <li key={`${facet} ${value}`} className="max-w-full">
            <button
              type="button"
              title={value}
              aria-label={t("takeBack", { name: words.facet(facet), value: name })}
              onClick={() => set(toggled(filters, facet, value))}
              className="flex h-6 max-w-full items-center gap-1 rounded-md border border-line2 bg-bg px-1.5 text-sm hover:bg-sunk touch:h-10 touch:px-3"
            >
              <span className="text-t2">{words.facet(facet)}</span>
              <span className="max-w-60 truncate font-medium normal-nums">{name}</span>
              <X aria-hidden className="size-3 shrink-0 text-t2" />
            </button>
          </li>
        );
      })}
      <li>
        <Button variant="ghost" className="h-6" onClick={clear}>
          {t("clear")}
        </Button>
      </li>
    </ul>
  );
}
