"use client";

import { useId, useState } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { cn } from "@/components/ui/cn";
import { Checkbox, Input } from "@/components/ui/input";
import { Skeleton } from "@/components/ui/status";
import type { SessionChoices } from "@/lib/queries/contract/types";
import { useFacetWords } from "./filter-chips";
import { COST_FILTERS, FACETS, type FacetKey, type Filters, toggled } from "./filters";
import type { ListState } from "./use-list-state";

/** Number of a facet's values shown at first. */
const SHOWN = 6;
/** Minimum number of values for a search field. */
const MANY = 12;

interface FacetPanelProps {
  readonly list: ListState;
  readonly choices: SessionChoices | undefined;
}

/** The filters of the list, with the number of sessions that each choice leaves. */
export function FacetPanel({ list, choices }: FacetPanelProps) {
  const { filters, set } = list;
  if (choices === undefined) return <FacetSkeleton />;
  return FACETS.map((facet) => (
    <FacetGroup
      key={facet}
      facet={facet}
      options={facetOptions(facet, choices, filters)}
      onToggle={(value) => set(toggled(filters, facet, value))}
    />
  ));
}

interface FacetGroupProps {
  readonly facet: FacetKey;
  readonly options: readonly FacetOption[];
  readonly onToggle: (value: string) => void;
}

function FacetGroup({ facet, options, onToggle }: FacetGroupProps) {
  const t = useTranslations("sessions.filter");
  const words = useFacetWords();
  const [isOpen, setOpen] = useState(false);
  const [query, setQuery] = useState("");
  if (options.length === 0) return null;
  const found = options.filter((option) => words.option(facet, option).toLowerCase().includes(query.toLowerCase()));
  // Selected values stay visible.
  const shown = isOpen ? found : options.filter(({ isChosen }, at) => at < SHOWN || isChosen);
  return (
    <fieldset className="min-w-0 border-b border-line py-2 last:border-b-0" data-facet={facet}>
      <legend className="float-left w-full px-4 pb-1 text-xs font-medium text-t3 first-letter:uppercase">
        {words.facet(facet)}
      </legend>
      {isOpen && options.length > MANY && (
        <div className="clear-both px-4 pb-1">
          <Input
            type="search"
            aria-label={t("seek", { name: words.facet(facet) })}
            placeholder={t("seek", { name: words.facet(facet) })}
            value={query}
            onChange={(event) => setQuery(event.target.value)}
          />
        </div>
      )}
      <ul className={cn("clear-both", isOpen && "max-h-80 overflow-y-auto")}>
        {shown.map((option) => (
          <li key={option.value}>
            <FacetValue option={option} name={words.option(facet, option)} onToggle={() => onToggle(option.value)} />
          </li>
        ))}
      </ul>
      {options.length > SHOWN && (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => {
            setOpen(!isOpen);
            setQuery("");
          }}
          className="px-4 py-0.5 text-sm text-t2 underline-offset-2 hover:text-t1 hover:underline touch:min-h-10"
        >
          {isOpen ? t("fewer") : t("more", { count: options.length - shown.length })}
        </button>
      )}
    </fieldset>
  );
}

interface FacetValueProps {
  readonly option: FacetOption;
  readonly name: string;
  readonly onToggle: () => void;
}

function FacetValue({ option: { count, isChosen }, name, onToggle }: FacetValueProps) {
  const t = useTranslations("sessions.filter");
  const format = useFormat();
  const id = useId();
  return (
    <label
      htmlFor={`${id}-box`}
      title={name}
      className={cn(
        "flex min-h-6 cursor-pointer items-center gap-2 px-4 text-sm hover:bg-sunk has-[:focus-visible]:bg-sunk touch:min-h-10",
        count === 0 && !isChosen && "text-t3",
      )}
    >
      <Checkbox id={`${id}-box`} checked={isChosen} onChange={onToggle} aria-describedby={id} />
      <span className={cn("min-w-0 grow truncate normal-nums", isChosen && "font-medium")}>{name}</span>
      <span id={id} className="text-t3">
        <span aria-hidden>{format.count(count)}</span>
        <span className="sr-only">{t("leaves", { count })}</span>
      </span>
    </label>
  );
}

function FacetSkeleton() {
  return (
    <div className="flex flex-col gap-2 p-4">
      {[40, 70, 55, 62, 30, 66, 50].map((width) => (
        <Skeleton key={width} className="h-3" style={{ width: `${width}%` }} />
      ))}
    </div>
  );
}

/** A value of a filter. */
export interface FacetOption {
  readonly value: string;
  /** Its name; `null` if the page has its own words for it. */
  readonly label: string | null;
  readonly count: number;
  readonly isChosen: boolean;
}

type Values = SessionChoices["choices"]["agent"];

/** The values of every facet, most frequent first. Selected values are always there, even without sessions. */
export function facetOptions(facet: FacetKey, { choices }: SessionChoices, filters: Filters): readonly FacetOption[] {
  if (facet === "compacted") return yesNo(choices.compacted, filters.compacted);
  if (facet === "near") return yesNo(choices.near, filters.near);
  if (facet === "problems") return yesNo(choices.faulty, filters.problems);
  if (facet === "cost") return costs(choices.cost, filters.cost);
  const chosen = filters[facet];
  const known = choices[facet].flatMap(({ value, label, sessions }) =>
    value === null ? [] : [{ value, label: label ?? value, count: sessions, isChosen: chosen.includes(value) }],
  );
  const lost = chosen.filter((value) => known.every((option) => option.value !== value));
  return [...known, ...lost.map((value) => ({ value, label: value, count: 0, isChosen: true }))];
}

function yesNo(values: Values, chosen: string | null): FacetOption[] {
  return (["yes", "no"] as const).map((value) => ({
    value,
    label: null,
    isChosen: chosen === value,
    count: countOf(values, value === "yes" ? "1" : "0"),
  }));
}

/** Costs are counted in bands; a choice of at least ten dollars includes all bands from there on. */
function costs(values: Values, chosen: string | null): FacetOption[] {
  return COST_FILTERS.map((value) => {
    const bands = values.filter((band) => band.value !== null && Number(band.value) >= Number(value));
    const least = bands.reduce((sum, { sessions }) => sum + sessions, 0);
    return { value, label: null, isChosen: chosen === value, count: value === "na" ? countOf(values, null) : least };
  });
}

function countOf(values: Values, value: string | null): number {
  return values.find((one) => one.value === value)?.sessions ?? 0;
}
