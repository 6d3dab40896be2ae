"use client";

import { ChevronDown, ChevronUp, TriangleAlert } from "lucide-react";
import { useRef } from "react";
import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { useShortcuts } from "@/components/hooks/use-shortcuts";
import { Button } from "@/components/ui/button";
import { SearchField } from "@/components/ui/search-field";
import { ChoiceFilter, ListFilter, SortMenu } from "./filter-menus";
import { COST_FILTERS, isFiltered, type Options } from "./row-selection";
import type { ListState } from "./use-list-state";

interface FilterRowProps {
  readonly list: ListState;
  readonly options: Options;
  readonly shown: number;
  readonly total: number;
  /** How many of all sessions are copies of others. */
  readonly copies: number;
  /** How many files could not be read and can be folded away. */
  readonly notRead: number;
  readonly bytes: number;
}

/** Search, filters, and how many sessions they leave. */
export function FilterRow({ list, options, shown, total, copies, notRead, bytes }: FilterRowProps) {
  const t = useTranslations("sessions.filter");
  const format = useFormat();
  const field = useRef<HTMLInputElement>(null);
  const { filters, set } = list;
  const filtered = isFiltered(filters);
  const yesNo = (yes: string, no: string) =>
    [
      { value: "yes", words: yes, short: t("yes") },
      { value: "no", words: no, short: t("no") },
    ] as const;
  useShortcuts({ "/": () => field.current?.select() });

  return (
    <div className="top-0 z-20 flex items-center gap-2 bg-bg px-4 py-2.5 max-lg:flex-wrap lg:sticky lg:h-12">
      <search className="w-60 max-lg:w-full">
        <SearchField
          ref={field}
          label={t("search")}
          placeholder={t("placeholder")}
          shortcut="/"
          value={filters.q}
          onChange={(event) => set({ q: event.target.value || null })}
          onKeyDown={(event) => {
            if (event.key === "Escape") event.currentTarget.blur();
          }}
        />
      </search>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot scroll sideways in every browser */}
      <div
        role="group"
        aria-label={t("label")}
        className="-mx-4 flex gap-2 overflow-x-auto px-4 max-lg:w-screen lg:mx-0 lg:px-0 [scrollbar-width:none] py-0.5"
      >
        <SortMenu sort={list.sort} onSort={(sort) => set({ sort })} className="lg:hidden" />
        <ListFilter
          name={t("agent")}
          options={options.agent}
          chosen={filters.agent}
          onChoose={(agent) => set({ agent })}
        />
        <ListFilter
          name={t("project")}
          options={options.project}
          chosen={filters.project}
          onChoose={(project) => set({ project })}
        />
        <ListFilter
          name={t("model")}
          options={options.model}
          chosen={filters.model}
          onChoose={(model) => set({ model })}
        />
        <ChoiceFilter
          name={t("compacted")}
          choices={yesNo(t("compactedYes"), t("compactedNo"))}
          chosen={filters.compacted}
          onChoose={(compacted) => set({ compacted })}
        />
        <ChoiceFilter
          name={t("problems")}
          choices={yesNo(t("problemsYes"), t("problemsNo"))}
          chosen={filters.problems}
          onChoose={(problems) => set({ problems })}
        />
        <ChoiceFilter
          name={t("cost")}
          choices={COST_FILTERS.map((value) => {
            if (value === "na") return { value, words: t("costUnknown"), short: t("costNa") };
            return { value, words: t("costLeast", { usd: value }), short: `≥ $${value}` };
          })}
          chosen={filters.cost}
          onChoose={(cost) => set({ cost })}
        />
        {filtered && (
          <Button variant="ghost" onClick={list.clear}>
            {t("clear")}
          </Button>
        )}
      </div>
      <div className="grow" />
      <p aria-live="polite" className="text-sm whitespace-nowrap text-t2">
        {filtered
          ? t("shown", { shown: format.count(shown), total })
          : t("size", {
              sessions: t(copies > 0 ? "totalWithCopies" : "total", { total: total - copies - notRead, copies }),
              size: format.bytes(bytes),
            })}
      </p>
      {notRead > 0 && (
        <NotReadToggle
          count={notRead}
          unfolded={list.unfolded}
          onToggle={() => set({ notRead: list.unfolded ? null : true })}
        />
      )}
    </div>
  );
}

interface NotReadToggleProps {
  readonly count: number;
  readonly unfolded: boolean;
  readonly onToggle: () => void;
}

/** Folds away the files that could not be read, and says how many there are. */
function NotReadToggle({ count, unfolded, onToggle }: NotReadToggleProps) {
  const t = useTranslations("sessions.filter");
  const Arrow = unfolded ? ChevronUp : ChevronDown;
  return (
    <Button variant="ghost" aria-expanded={unfolded} onClick={onToggle} className="-mr-2 max-lg:ml-auto">
      <TriangleAlert aria-hidden />
      {t("filesNotRead", { count })}
      <Arrow aria-hidden />
    </Button>
  );
}
