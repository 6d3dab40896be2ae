import { useTranslations } from "use-intl";
import type { SessionChoices } from "@/lib/queries/contract/types";
import { COST_FILTERS, type Filters } from "./filters";

/** Filters of the list, in the order of the panel. */
export const FACETS = ["agent", "project", "model", "version", "compacted", "near", "problems", "cost"] as const;
export type FacetKey = (typeof FACETS)[number];

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

/** Change of the filters by a choice; `null` is not a filter. */
type FilterChange = {
  [Key in FacetKey]?: Filters[Key] extends readonly string[] ? string[] | null : Filters[Key];
};

/** The change when a value is selected or deselected. Some facets take several values. */
export function toggled(filters: Filters, facet: FacetKey, value: string): FilterChange {
  if (facet === "compacted" || facet === "near" || facet === "problems" || facet === "cost") {
    const isChosen = filters[facet] === value;
    if (facet === "cost") return { cost: isChosen ? null : (COST_FILTERS.find((one) => one === value) ?? null) };
    return { [facet]: isChosen ? null : value === "yes" ? "yes" : "no" };
  }
  const others = filters[facet].filter((one) => one !== value);
  const chosen = others.length < filters[facet].length ? others : [...others, value];
  return { [facet]: chosen.length === 0 ? null : chosen };
}

/** All selected values, in the order of the panel. */
export function chosenOptions(filters: Filters): { readonly facet: FacetKey; readonly value: string }[] {
  return FACETS.flatMap((facet) => {
    const chosen = filters[facet];
    const values = chosen === null ? [] : typeof chosen === "string" ? [chosen] : chosen;
    return values.map((value) => ({ facet, value }));
  });
}

/** The page's names of facets and their values. */
export function useFacetWords() {
  const t = useTranslations("sessions.filter");
  return {
    facet: (facet: FacetKey): string => t(facet),
    option: (facet: FacetKey, { value, label }: Pick<FacetOption, "value" | "label">): string => {
      if (facet === "compacted") return t(value === "yes" ? "compactedYes" : "compactedNo");
      if (facet === "near") return t(value === "yes" ? "nearYes" : "nearNo");
      if (facet === "problems") return t(value === "yes" ? "problemsYes" : "problemsNo");
      if (facet === "cost") return value === "na" ? t("costUnknown") : t("costLeast", { usd: value });
      return label ?? value;
    },
  };
}

/** The name of a selected value, if the server sent one. */
export function labelOf(facet: FacetKey, value: string, all: SessionChoices | undefined): string | null {
  if (facet === "compacted" || facet === "near" || facet === "problems" || facet === "cost") return null;
  return all?.choices[facet].find((one) => one.value === value)?.label ?? value;
}
