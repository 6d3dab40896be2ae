"use client";

import { X } from "lucide-react";
import { type RefObject, useEffect, useRef } from "react";
import { useTranslations } from "use-intl";
import type { Format } from "@/components/format/format";
import { useFormat } from "@/components/format/use-format";
import { Button } from "@/components/ui/button";
import type { SessionChoices } from "@/lib/queries/contract/types";
import {
  type Condition,
  chosenOptions,
  type FacetKey,
  isFiltered,
  parseCondition,
  readSessions,
  toggled,
} from "./filters";
import type { ListState } from "./use-list-state";

interface FilterChipsProps {
  readonly list: ListState;
  readonly choices: SessionChoices | undefined;
  /** The list without any filter; if given, the filters are described in words too. */
  readonly all?: SessionChoices;
}

const SIGNS = { "=": "", ">=": "≥\u00a0", "<=": "≤\u00a0" } as const;

/** The value of a condition as the list writes it. */
function conditionValue(key: Condition["key"], value: string, format: Format): string {
  if (key === "cost") return format.usd(Number(value));
  if (key === "fill") return format.percent(Number(value));
  return key === "day" || key === "agent" || key === "version" ? value : format.count(Number(value));
}

/** The selected filters, each as a button that removes it. */
export function FilterChips({ list, choices, all }: FilterChipsProps) {
  const t = useTranslations("sessions.filter");
  const tc = useTranslations("common.value");
  const columns = useTranslations("sessions.table");
  const format = useFormat();
  const words = useFacetWords();
  const { filters, set, clear } = list;
  const chips = useRef<HTMLUListElement>(null);
  const chosen = chosenOptions(filters);
  const conditions = filters.where.flatMap((text) => {
    const parts = parseCondition(text);
    return parts === undefined ? [] : [{ text, ...parts }];
  });
  const isShown = isFiltered(filters);
  const removedAt = useFocusAfterRemoval(chips, isShown ? chosen.length + conditions.length : undefined);
  if (!isShown) return null;
  const nameOf = ({ facet, value }: (typeof chosen)[number]) =>
    words.option(facet, { value, label: labelOf(facet, value, choices) });
  const writtenOf = ({ key, sign, value }: Condition) => {
    if (value === "") return tc("na");
    if (key === "sample") return t(value === "0" ? "sampleNo" : "sampleYes");
    return `${SIGNS[sign]}${conditionValue(key, value, format)}`;
  };
  const clauses = [
    ...(filters.q.trim() === "" ? [] : [t("searched", { words: filters.q.trim() })]),
    ...[...new Set(chosen.map(({ facet }) => facet))].map((facet) =>
      t("oneOf", {
        name: words.facet(facet),
        values: chosen
          .filter((one) => one.facet === facet)
          .map(nameOf)
          .join(" / "),
      }),
    ),
    ...conditions.map((one) => t("oneOf", { name: t(`condition.${one.key}`), values: writtenOf(one) })),
  ];
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5 px-4 pb-2">
      {all !== undefined && (
        <p className="text-sm text-t2 normal-nums" data-testid="filters-in-words">
          {t("inWords", {
            shown: format.count(choices?.total.sessions ?? 0),
            total: readSessions(all),
            filters: format.clauses(clauses),
            order: t(list.sort.descending ? "orderedDown" : "orderedUp", { column: columns(list.sort.key) }),
          })}
        </p>
      )}
      <ul ref={chips} aria-label={t("chosenLabel")} className="flex flex-wrap items-center gap-1.5">
        {chosen.map((option, place) => {
          const { facet, value } = option;
          return (
            <Chip
              key={`${facet} ${value}`}
              facet={words.facet(facet)}
              value={nameOf(option)}
              title={value}
              onRemove={() => {
                removedAt(place);
                void set(toggled(filters, facet, value));
              }}
            />
          );
        })}
        {conditions.map(({ text, ...condition }, place) => (
          <Chip
            key={text}
            facet={t(`condition.${condition.key}`)}
            value={writtenOf(condition)}
            title={text}
            onRemove={() => {
              removedAt(chosen.length + place);
              const others = filters.where.filter((one) => one !== text);
              void set({ where: others.length === 0 ? null : others });
            }}
          />
        ))}
        <li>
          <Button
            variant="ghost"
            className="h-6"
            onClick={() => {
              removedAt(0);
              clear();
            }}
          >
            {t("clear")}
          </Button>
        </li>
      </ul>
    </div>
  );
}

/**
 * Keeps the focus when its button disappears: on the button that takes its place, and without any on the page's contents.
 * @param count number of removable filters; `undefined` if nothing is shown
 * @returns a function to call with the index of a removed filter
 */
function useFocusAfterRemoval(list: RefObject<HTMLElement | null>, count: number | undefined): (place: number) => void {
  const removed = useRef<number>(undefined);
  useEffect(() => {
    const place = removed.current;
    removed.current = undefined;
    if (place === undefined) return;
    const next = count === undefined ? undefined : list.current?.querySelectorAll("button")[place];
    (next ?? document.getElementById("content"))?.focus();
  }, [list, count]);
  return (place) => {
    removed.current = place;
  };
}

interface ChipProps {
  readonly facet: string;
  readonly value: string;
  readonly title: string;
  readonly onRemove: () => void;
}

function Chip({ facet, value, title, onRemove }: ChipProps) {
  const t = useTranslations("sessions.filter");
  return (
    <li className="max-w-full">
      <button
        type="button"
        title={title}
        aria-label={t("takeBack", { name: facet, value })}
        onClick={onRemove}
        className="flex h-6 max-w-full items-center gap-1 rounded-md border border-line2 bg-bg px-1.5 text-sm hover:bg-sunk touch:h-10 touch:px-3"
      >
        <span className="text-t2">{facet}</span>
        <span className="max-w-60 truncate font-medium normal-nums">{value}</span>
        <X aria-hidden className="size-3 shrink-0 text-t2" />
      </button>
    </li>
  );
}

/** The page's names of facets and their values. */
export function useFacetWords() {
  const t = useTranslations("sessions.filter");
  return {
    facet: (facet: FacetKey): string => t(facet),
    option: (facet: FacetKey, { value, label }: { readonly value: string; readonly label: string | null }): string => {
      if (facet === "compacted") return t(value === "yes" ? "compactedYes" : "compactedNo");
      if (facet === "near") return t(value === "yes" ? "nearYes" : "nearNo");
      if (facet === "problems") return t(value === "yes" ? "problemsYes" : "problemsNo");
      if (facet === "cost") return value === "na" ? t("costUnknown") : t("costLeast", { usd: value });
      return label ?? value;
    },
  };
}

/** The name of a selected value, if the server sent one. */
function labelOf(facet: FacetKey, value: string, all: SessionChoices | undefined): string | null {
  if (facet === "compacted" || facet === "near" || facet === "problems" || facet === "cost") return null;
  return all?.choices[facet].find((one) => one.value === value)?.label ?? value;
}
