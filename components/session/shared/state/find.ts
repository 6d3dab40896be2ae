import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useQueryState } from "nuqs";
import { useCallback, useEffect, useMemo, useRef } from "react";
import { useSettled } from "@/components/hooks/use-settled";
import type { ItemFilter, ItemWord } from "@/lib/core/columns/item-filter";
import { ask } from "@/lib/queries/client/client";
import type { SearchAnswer } from "@/lib/queries/contract/types";
import type { OpenedSession } from "./session";
import { FIND_PARSERS, URL_OPTIONS, VIEW_PARSERS } from "./url-state";
import { useAddress } from "./use-address";

/** Minimum length of a search text: a single character occurs nearly everywhere. */
const SHORTEST = 2;

/** Pause in typing before a search begins. */
const SETTLED_MS = 150;

/** Filters of the searched items; `null` for no filter. */
interface FindFilter {
  readonly kind: ItemWord | null;
  readonly tool: string | null;
  /** Part of a path. */
  readonly file: string | null;
  /** True if it is in the recorded context of the pinned request, else of the last one. */
  readonly context: "in" | "out" | null;
}

export interface FindState {
  /** The search text as typed. */
  readonly findText: string;
  readonly findFilter: FindFilter;
  /** Its matches; `undefined` without a search, and until the first answer. */
  readonly found: SearchAnswer | undefined;
  readonly hasFindFailed: boolean;
}

export interface FindActions {
  readonly setFindText: (text: string) => void;
  /** Changes some of the filters. */
  readonly setFindFilter: (filter: Partial<FindFilter>) => void;
  /** Opens the next match after the selected item; during a search, once its answer arrives. */
  readonly findNext: () => void;
  readonly findPrevious: () => void;
}

/** A search, and the functions to change it. */
interface Finding {
  readonly state: FindState;
  readonly answer: SearchAnswer | undefined;
  /** The search text; `undefined` without one. */
  readonly search: string | undefined;
  readonly setText: (text: string | null) => void;
  readonly setConditions: (conditions: Readonly<Record<string, unknown>>) => void;
}

/**
 * The search in the address, and its matches.
 * @param pin the request whose context counts for the filters
 */
export function useFinding({ id, version }: Pick<OpenedSession, "id" | "version">, pin: number | null): Finding {
  const [written, setText] = useQueryState("find", VIEW_PARSERS.find.withOptions(URL_OPTIONS));
  const [conditions, setConditions] = useAddress(FIND_PARSERS);
  const findFilter = useMemo(
    (): FindFilter => ({
      kind: conditions["find.kind"],
      tool: conditions["find.tool"],
      file: conditions["find.file"],
      context: conditions["find.context"],
    }),
    [conditions],
  );
  const findText = written ?? "";
  const typed = findText.trim().toLowerCase();
  const query = useSettled(typed, SETTLED_MS);
  const wanted = useMemo(() => askedFor(findFilter, pin), [findFilter, pin]);
  const asked = useSettled(wanted, SETTLED_MS);
  const q = query.length >= SHORTEST ? query : undefined;
  const isLookedFor = q !== undefined || (query === "" && Object.keys(asked).length > 0);
  const answer = useQuery({
    queryKey: ["session", id, "search", version, q, asked],
    queryFn: ({ signal }) => ask("search", { id, search: { q, ...asked, at: version } }, signal),
    enabled: isLookedFor,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
  // An emptied field clears the matches at once, without the typing pause.
  const found = isLookedFor && (findText !== "" || q === undefined) ? answer.data : undefined;
  const isAnswered = query === typed && asked === wanted && !answer.isPlaceholderData;
  const isSearch = typed.length >= SHORTEST || (typed === "" && Object.keys(wanted).length > 0);
  return {
    state: { findText, findFilter, found, hasFindFailed: answer.isError },
    answer: isAnswered ? found : undefined,
    search: isSearch ? typed : undefined,
    setText,
    setConditions,
  };
}

/**
 * Opens the next or the previous match. A step during a search, such as by Enter right after the last letter, waits for its answer.
 * @param visit opens the next or the previous one of some matches; always the same function
 */
export function useFindSteps(finding: Finding, visit: (places: readonly number[], by: 1 | -1) => void): FindActions {
  const { answer, search, setText, setConditions } = finding;
  const latest = useRef(finding);
  latest.current = finding;
  const waiting = useRef<{ readonly by: 1 | -1; readonly search: string }>(undefined);
  const go = useCallback(
    (by: 1 | -1) => {
      const { answer, search } = latest.current;
      waiting.current = answer === undefined && search !== undefined ? { by, search } : undefined;
      visit(answer?.items ?? [], by);
    },
    [visit],
  );
  useEffect(() => {
    const step = waiting.current;
    if (answer === undefined || step === undefined) return;
    waiting.current = undefined;
    if (step.search === search) go(step.by);
  }, [answer, search, go]);
  return useMemo(
    () => ({
      setFindText: (next) => void setText(next === "" ? null : next),
      setFindFilter: (next) =>
        void setConditions(Object.fromEntries(Object.entries(next).map(([key, value]) => [`find.${key}`, value]))),
      findNext: () => go(1),
      findPrevious: () => go(-1),
    }),
    [go, setText, setConditions],
  );
}

/** The filters as parameters for the server; unset ones are absent. */
function askedFor({ kind, tool, file, context }: FindFilter, pin: number | null): ItemFilter {
  return {
    ...(kind !== null && { kind }),
    ...(tool !== null && { tool }),
    ...(file !== null && { file }),
    ...(context !== null && { context, ...(pin !== null && { request: pin }) }),
  };
}

/** The next match after, or with −1 before, an item; it wraps around. `undefined` without matches. */
export function nextPlace(places: readonly number[], item: number, by: 1 | -1): number | undefined {
  const after = firstAfter(places, item);
  if (by === 1) return places[after] ?? places[0];
  const before = places[after - 1] === item ? after - 2 : after - 1;
  return places[before] ?? places.at(-1);
}

/** Number of an item among the matches, from 1; 0 if it is not one of them. */
export function placeNumber(places: readonly number[], item: number): number {
  const after = firstAfter(places, item);
  return places[after - 1] === item ? after : 0;
}

/** Index of the first match after an item, found by bisection. */
function firstAfter(places: readonly number[], item: number): number {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] ?? 0) > item) high = middle;
    else low = middle + 1;
  }
  return low;
}
