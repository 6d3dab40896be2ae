"use client";

import { X } from "lucide-react";
import { useTranslations } from "use-intl";
import type { Format } from "@/components/format/format";
import { useFormat } from "@/components/format/use-format";
import { Button } from "@/components/ui/button";
import type { SessionChoices } from "@/lib/api/types";
import { chosenOptions, toggled } from "./facets";
import { type Condition, parseCondition } from "./filters";
import { labelOf, useFacetWords } from "./use-facet-words";
import type { ListState } from "./use-list-state";

interface FilterChipsProps {
  readonly list: ListState;
  readonly choices: SessionChoices | undefined;
}

const SIGNS = { "=": "", ">=": "≥\u00a0", "<=": "≤\u00a0" } as const;

/** The value of a condition as the list writes it. */
function conditionValue(key: Condition["key"], value: string, format: Format): string {
  if (key === "cost") return format.usd(Number(value));
  return key === "day" || key === "agent" || key === "version" ? value : format.count(Number(value));
}

/** What is chosen, each as a button that takes it back. */
export function FilterChips({ list, choices }: FilterChipsProps) {
  const t = useTranslations("sessions.filter");
  const tc = useTranslations("common.value");
  const format = useFormat();
  const words = useFacetWords();
  const { filters, set, clear } = list;
  const chosen = chosenOptions(filters);
  const conditions = filters.where.flatMap((text) => {
    const parts = parseCondition(text);
    return parts === undefined ? [] : [{ text, ...parts }];
  });
  if (chosen.length + conditions.length === 0) return null;
  return (
    <ul aria-label={t("chosenLabel")} className="flex flex-wrap items-center gap-1.5 px-4 pb-2">
      {chosen.map(({ facet, value }) => {
        const name = words.option(facet, { value, label: labelOf(facet, value, choices) });
        return (
          <Chip
            key={`${facet} ${value}`}
            facet={words.facet(facet)}
            value={name}
            title={value}
            onTakeBack={() => set(toggled(filters, facet, value))}
          />
        );
      })}
      {conditions.map(({ text, key, sign, value }) => (
        <Chip
          key={text}
          facet={t(`condition.${key}`)}
          value={value === "" ? tc("na") : `${SIGNS[sign]}${conditionValue(key, value, format)}`}
          title={text}
          onTakeBack={() => {
            const others = filters.where.filter((one) => one !== text);
            void set({ where: others.length === 0 ? null : others });
          }}
        />
      ))}
      <li>
        <Button variant="ghost" className="h-6" onClick={clear}>
          {t("clear")}
        </Button>
      </li>
    </ul>
  );
}

interface ChipProps {
  readonly facet: string;
  readonly value: string;
  readonly title: string;
  readonly onTakeBack: () => void;
}

function Chip({ facet, value, title, onTakeBack }: ChipProps) {
  const t = useTranslations("sessions.filter");
  return (
    <li className="max-w-full">
      <button
        type="button"
        title={title}
        aria-label={t("takeBack", { name: facet, value })}
        onClick={onTakeBack}
        className="flex h-6 max-w-full items-center gap-1 rounded-md border border-line2 bg-bg px-1.5 text-sm hover:bg-sunk touch:h-10 touch:px-3"
      >
        <span className="text-t2">{facet}</span>
        <span className="max-w-60 truncate font-medium normal-nums">{value}</span>
        <X aria-hidden className="size-3 shrink-0 text-t2" />
      </button>
    </li>
  );
}
