"use client";

import { ArrowDown, ArrowUp, ListFilter, TriangleAlert } from "lucide-react";
import Link from "next/link";
import { useRouter, useSearchParams } from "next/navigation";
import { lazy, Suspense, useRef } from "react";
import { useTranslations } from "use-intl";
import { ExportMenu } from "@/components/export/export-menu";
import type { TableData } from "@/components/export/table-data";
import { useFormat } from "@/components/format/use-format";
import { useShortcuts } from "@/components/hooks/use-shortcuts";
import { Button } from "@/components/ui/button";
import { Kbd } from "@/components/ui/chip";
import { Dialog, DialogTrigger, SheetContent, SheetTitle } from "@/components/ui/dialog";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import { SearchField } from "@/components/ui/input";
import { loadedLater } from "@/components/ui/overlay";
import type { SessionChoices } from "@/lib/queries/contract/types";
import { isLowerBoundSum } from "@/lib/queries/wire/least";
import {
  chosenOptions,
  firstDirection,
  insightsQuery,
  isFiltered,
  readSessions,
  SORT_KEYS,
  type Sort,
} from "./filters";
import type { FacetsColumn, ListState } from "./use-list-state";
import type { ListRequest } from "./use-session-list";

/** Loaded when a session is ticked. */
const SelectionBar = lazy(async () => ({ default: (await import("./selection-bar")).SelectionBar }));

/** Loaded when the filters are shown. */
const panel = loadedLater(() => import("./facet-panel"));

/** The condition that selects the samples. */
const SAMPLES = "sample=1";

interface FilterRowProps {
  readonly list: ListState;
  /** With the filters, and without any. */
  readonly choices: SessionChoices | undefined;
  readonly all: SessionChoices | undefined;
  /** Number of unreadable files, if they can be hidden or are the only ones shown. */
  readonly notRead: number;
  readonly request: ListRequest;
  readonly beside: FacetsColumn;
}

/** The column next to the list. */
export const FACETS_ID = "filters-beside";

/** Search, a button for the filters if these are not next to the list, and the number of matching sessions. */
export function FilterRow({ list, choices, all, notRead, request, beside }: FilterRowProps) {
  const t = useTranslations("sessions.filter");
  const field = useRef<HTMLInputElement>(null);
  const { filters, set } = list;
  useShortcuts({ "/": () => field.current?.select() });

  return (
    <div className="top-0 z-20 flex items-center gap-2 bg-bg px-4 py-2.5 max-lg:flex-wrap lg:sticky lg:h-12">
      <search className="w-80 min-w-32 shrink-[9999] max-lg:w-full">
        <SearchField
          ref={field}
          label={t("search")}
          placeholder={t("placeholder")}
          shortcut="/"
          value={filters.q}
          onChange={(event) => set({ q: event.target.value || null })}
          onKeyDown={(event) => {
            if (event.key === "Escape" && !event.nativeEvent.isComposing) event.currentTarget.blur();
          }}
        />
      </search>
      {beside.isPossible ? (
        <Button
          aria-expanded={beside.isShown}
          aria-controls={beside.isShown ? FACETS_ID : undefined}
          onClick={beside.toggle}
          className="font-normal aria-expanded:bg-sunk"
        >
          <FacetsName list={list} />
        </Button>
      ) : (
        <FacetSheet list={list} choices={choices} />
      )}
      <SortMenu sort={list.sort} onSort={(sort) => set({ sort })} className="lg:hidden" />
      <div className="grow" />
      {list.selection.ids.length > 0 && (
        <Suspense>
          <SelectionBar selection={list.selection} />
        </Suspense>
      )}
      <InsightsLink />
      <SamplesLink list={list} />
      <Shown list={list} choices={choices} all={all} notRead={notRead} />
      <ListExport request={request} />
      {(notRead > 0 || list.onlyUnread) && (
        <Button
          variant="ghost"
          aria-pressed={list.onlyUnread}
          onClick={() => set({ notRead: list.onlyUnread ? null : true })}
          className="-mr-2 aria-pressed:bg-sunk aria-pressed:text-t1 max-lg:ml-auto"
        >
          <TriangleAlert aria-hidden />
          {t("filesNotRead", { count: notRead })}
        </Button>
      )}
    </div>
  );
}

/** The link to the samples, which the list shows by itself only if there are no other sessions. */
function SamplesLink({ list: { filters, set } }: Pick<FilterRowProps, "list">) {
  const t = useTranslations("sessions.filter");
  const isShown = filters.where.includes(SAMPLES);
  return (
    <Button
      variant="ghost"
      aria-pressed={isShown}
      onClick={() => void set({ where: isShown ? null : [SAMPLES] })}
      className="aria-pressed:bg-sunk aria-pressed:text-t1"
    >
      {t("samples")}
    </Button>
  );
}

/** The link to the insights over these sessions: its address has the filters and the ticked sessions. */
function InsightsLink() {
  const t = useTranslations("sessions.filter");
  const router = useRouter();
  const search = useSearchParams();
  const query = insightsQuery(search);
  const href = query === "" ? "/insights" : `/insights?${query}`;
  useShortcuts({ i: () => router.push(href) });
  return (
    <Button asChild variant="ghost">
      <Link href={href} prefetch={false}>
        {t("insights")}
        <Kbd className="touch:hidden">i</Kbd>
      </Link>
    </Button>
  );
}

/** The filters, once their code has arrived. */
export function Facets(props: Pick<FilterRowProps, "list" | "choices">) {
  const module = panel.useModule(true);
  return module !== undefined && <module.FacetPanel {...props} />;
}

/** The filters in a sheet, if they have no column. */
export function FacetSheet({ list, choices }: Pick<FilterRowProps, "list" | "choices">) {
  const t = useTranslations("sessions.filter");
  return (
    <Dialog>
      <DialogTrigger asChild>
        <Button className="font-normal">
          <FacetsName list={list} />
        </Button>
      </DialogTrigger>
      <SheetContent aria-describedby={undefined} className="pb-4">
        <SheetTitle className="px-4 py-3">{t("label")}</SheetTitle>
        <Facets list={list} choices={choices} />
      </SheetContent>
    </Dialog>
  );
}

/** Label of the filters, with the number of selected ones. */
function FacetsName({ list }: Pick<FilterRowProps, "list">) {
  const t = useTranslations("sessions.filter");
  const format = useFormat();
  const chosen = chosenOptions(list.filters).length;
  return (
    <>
      <ListFilter aria-hidden />
      {t("label")}
      {chosen > 0 && <span className="font-medium">{format.count(chosen)}</span>}
    </>
  );
}

/** The number of matching sessions, and their sums. */
function Shown({ list, choices, all, notRead }: Omit<FilterRowProps, "request" | "beside">) {
  const t = useTranslations("sessions.filter");
  const format = useFormat();
  if (choices === undefined || all === undefined) return <p aria-live="polite" />;
  const { sessions, copies, bytes, sent, pricedUsd } = choices.total;
  const own = isFiltered(list.filters)
    ? t("shown", { shown: format.count(sessions), total: readSessions(all) })
    : t(copies > 0 ? "totalWithCopies" : "total", { total: sessions - copies - notRead, copies });
  const metrics = [
    ...(sent === null ? [] : [t("sent", { tokens: format.sum(sent) })]),
    ...(pricedUsd === null ? [] : [format.usd(pricedUsd, isLowerBoundSum(choices.total))]),
  ];
  return (
    <p aria-live="polite" className="min-w-0 truncate text-sm whitespace-nowrap text-t2">
      <span>{own}</span>
      <span className="text-t3 max-xl:hidden"> · {format.bytes(bytes)}</span>
      {metrics.length > 0 && <span className="text-t3 max-sm:hidden"> · {metrics.join(" · ")}</span>}
    </p>
  );
}

/** Saves the whole filtered and sorted list, including rows outside the view. */
function ListExport({ request }: { readonly request: ListRequest }) {
  const t = useTranslations("sessions.table");
  const table = async (): Promise<TableData> => {
    const { listTable, wholeList } = await import("./all-sessions");
    return listTable(await wholeList(request), t);
  };
  return <ExportMenu name={t("label")} table={table} />;
}

interface SortMenuProps {
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
  readonly className?: string;
}

const DIRECTIONS = ["ascending", "descending"] as const;

/** Selects the sort order and its direction if there is no table head to click. */
function SortMenu({ sort, onSort, className }: SortMenuProps) {
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
