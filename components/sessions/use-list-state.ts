"use client";

import {
  createParser,
  debounce,
  parseAsArrayOf,
  parseAsBoolean,
  parseAsString,
  parseAsStringLiteral,
  type SetValues,
  useQueryStates,
} from "nuqs";
import { type RefObject, useEffect, useMemo, useState } from "react";
import { keptStorage } from "@/components/hooks/kept-storage";
import { focusIfNone, useIsArrival } from "@/components/hooks/use-arrival";
import { useMediaQuery } from "@/components/hooks/use-media-query";
import { COST_FILTERS, type Filters, firstDirection, parseCondition, SORT_KEYS, type Sort } from "./filters";

/** Maximum number of selected sessions: their ids are in the address. */
export const MAX_SELECTED = 200;

/** Maximum number of sessions on one axis: more lines would be indistinguishable. */
export const MAX_COMPARED = 6;

/** The selected sessions, and a function to add or remove one. */
export interface Selection {
  readonly ids: readonly string[];
  readonly toggle: (id: string) => void;
  readonly clear: () => void;
}

/** A selection with a session added or removed. A full one is not extended. */
export function toggledId(ids: readonly string[], id: string): string[] {
  const others = ids.filter((one) => one !== id);
  if (others.length < ids.length || ids.length >= MAX_SELECTED) return others;
  return [...ids, id];
}

/** The address of the page that compares sessions on one axis. */
export function compareHref(ids: readonly string[]): string {
  return `/compare?sessions=${ids.map(encodeURIComponent).join(",")}`;
}

/** The address of a sweep over sessions: on the page of the first one. */
export function sweepHref([first = "", ...others]: readonly string[]): string {
  const rest = others.map(encodeURIComponent).join(",");
  return `/sessions/${encodeURIComponent(first)}?tab=sweep${rest === "" ? "" : `&with=${rest}`}`;
}

const DEFAULT_SORT: Sort = { key: "when", descending: true };

/** `when` sorts upwards, `-when` downwards. */
const parseAsSort = createParser<Sort>({
  parse: (text) => {
    const key = SORT_KEYS.find((known) => known === text.replace(/^-/u, ""));
    return key === undefined ? null : { key, descending: text.startsWith("-") };
  },
  serialize: ({ key, descending }) => `${descending ? "-" : ""}${key}`,
  eq: (a, b) => a.key === b.key && a.descending === b.descending,
});

const parseAsCondition = createParser<string>({
  parse: (text) => (parseCondition(text) === undefined ? null : text),
  serialize: (text) => text,
});

const PARSERS = {
  q: parseAsString.withDefault("").withOptions({ limitUrlUpdates: debounce(200) }),
  agent: parseAsArrayOf(parseAsString).withDefault([]),
  project: parseAsArrayOf(parseAsString).withDefault([]),
  model: parseAsArrayOf(parseAsString).withDefault([]),
  version: parseAsArrayOf(parseAsString).withDefault([]),
  compacted: parseAsStringLiteral(["yes", "no"]),
  near: parseAsStringLiteral(["yes", "no"]),
  problems: parseAsStringLiteral(["yes", "no"]),
  cost: parseAsStringLiteral(COST_FILTERS),
  where: parseAsArrayOf(parseAsCondition, "~").withDefault([]),
  sort: parseAsSort.withDefault(DEFAULT_SORT),
  notRead: parseAsBoolean.withDefault(false),
  selected: parseAsArrayOf(parseAsString).withDefault([]),
};

export interface ListState {
  readonly filters: Filters;
  readonly sort: Sort;
  /** True if only the unreadable files are shown. */
  readonly onlyUnread: boolean;
  readonly set: SetValues<typeof PARSERS>;
  /**
   * Clears the search and all filters.
   * @param more other changes with it
   */
  readonly clear: (more?: { readonly notRead: null }) => void;
  readonly selection: Selection;
  /** Sorts by a column; sorting by the same column again reverses the order. */
  readonly sortBy: (key: Sort["key"]) => void;
}

/** Query, filters and sort order of the list, kept in the address. */
export function useListState(): ListState {
  const [{ sort, notRead, selected, q, agent, project, model, version, compacted, near, problems, cost, where }, set] =
    useQueryStates(PARSERS);
  const filters = useMemo(
    () => ({ q, agent, project, model, version, compacted, near, problems, cost, where }),
    [q, agent, project, model, version, compacted, near, problems, cost, where],
  );
  const selection = useMemo(
    (): Selection => ({
      ids: selected,
      toggle: (id) =>
        void set(({ selected: ids }) => {
          const toggled = toggledId(ids, id);
          return { selected: toggled.length === 0 ? null : toggled };
        }),
      clear: () => void set({ selected: null }),
    }),
    [selected, set],
  );
  return {
    filters,
    selection,
    sort,
    onlyUnread: notRead,
    set,
    clear: (more) =>
      set({
        q: null,
        agent: null,
        project: null,
        model: null,
        version: null,
        compacted: null,
        near: null,
        problems: null,
        cost: null,
        where: null,
        ...more,
      }),
    sortBy: (key) => set({ sort: sort.key === key ? { key, descending: !sort.descending } : firstDirection(key) }),
  };
}

const KEY = "filters-beside";

/** The filters' column next to the list. */
export interface FacetsColumn {
  /** True if there is space for one; else they open in a sheet. */
  readonly isPossible: boolean;
  readonly isShown: boolean;
  readonly toggle: () => void;
}

/** The filters' column as the user chose; by default it is shown if there is space for it and the list. */
export function useFacetsColumn(): FacetsColumn {
  const isPossible = useMediaQuery("(width >= 80rem)");
  const isRoomy = useMediaQuery("(width >= 96rem)");
  const [kept, setKept] = useState(() => keptStorage.getItem(KEY));
  const isShown = isPossible && (kept === null ? isRoomy : kept === "yes");
  const toggle = () => {
    const next = isShown ? "no" : "yes";
    keptStorage.setItem(KEY, next);
    setKept(next);
  };
  return { isPossible, isShown, toggle };
}

/** State of a list when it was left. */
interface Place {
  /** Scroll position, in px. */
  readonly top: number;
  /** The address of the session whose row had the focus last. */
  readonly link?: string | null;
}

/** State of each list when it was left, by its address, for the life of the tab. */
const PLACES = new Map<string, Place>();

/** Scroll position of this address's list when it was left, in px. The list starts there again. */
export function keptPosition(): number {
  return typeof location === "undefined" ? 0 : placeHere().top;
}

/**
 * Stores the scroll position of the list, and restores the focus of its row.
 * @param isThere true if its rows are there
 */
export function useListPosition(scroller: RefObject<HTMLElement | null>, isThere: boolean): void {
  const isArrival = useIsArrival();
  useEffect(() => {
    const element = scroller.current;
    if (element === null || !isThere) return;
    const back = requestAnimationFrame(() => {
      if (isArrival) focusIfNone(linkTo(element, placeHere().link) ?? element);
    });
    const keepTop = (): void => keep({ top: element.scrollTop });
    const keepLink = ({ target }: FocusEvent): void => {
      if (target instanceof HTMLAnchorElement) keep({ link: target.getAttribute("href") });
    };
    element.addEventListener("scroll", keepTop, { passive: true });
    element.addEventListener("focusin", keepLink);
    return () => {
      cancelAnimationFrame(back);
      element.removeEventListener("scroll", keepTop);
      element.removeEventListener("focusin", keepLink);
    };
  }, [scroller, isThere, isArrival]);
}

function placeHere(): Place {
  return PLACES.get(location.search) ?? { top: 0 };
}

function keep(part: Partial<Place>): void {
  PLACES.set(location.search, { ...placeHere(), ...part });
}

function linkTo(list: HTMLElement, href: string | null | undefined): HTMLElement | undefined {
  return Array.from(list.querySelectorAll("a")).find((link) => link.getAttribute("href") === href);
}
