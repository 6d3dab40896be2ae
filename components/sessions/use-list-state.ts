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
import { useMemo } from "react";
import { COST_FILTERS, type Filters, firstDirection, parseCondition, SORT_KEYS, type Sort } from "./filters";
import { type Selection, toggledId } from "./selection";

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
  /** Whether only the files that could not be read are shown. */
  readonly onlyUnread: boolean;
  readonly set: SetValues<typeof PARSERS>;
  /** Takes back the search and all filters. @param more what is changed with them */
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
