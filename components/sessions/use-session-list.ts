"use client";

import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { useSettled } from "@/components/hooks/use-settled";
import { agentName } from "@/lib/agents/agents";
import { ask, getChoices, listSessions, type SessionsFilter } from "@/lib/queries/client/client";
import { listenToIndexing } from "@/lib/queries/client/event-answers";
import type { IndexingEvent, SessionPage, SessionRow } from "@/lib/queries/contract/types";
import { filterRequest, isFiltered, listRequest, unfilteredRequest } from "./filters";
import { type RowView, toRowView } from "./row-view";
import { useListState } from "./use-list-state";

/** Everything that is asked about the list. */
export const SESSIONS_KEY = ["sessions"] as const;
/** Rows of a page: a screen full and some more. */
const PAGE_ROWS = 100;

export interface ListRequest extends SessionsFilter {
  readonly sort: string;
}

/** The pages of the list that were scrolled to. While other ones are asked for, the last ones are still shown. */
function useSessionList(request: ListRequest) {
  return useInfiniteQuery({
    queryKey: [...SESSIONS_KEY, "list", request],
    queryFn: ({ pageParam, signal }) =>
      listSessions({ ...request, limit: PAGE_ROWS, ...(pageParam !== null && { cursor: pageParam }) }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  });
}

/** What the list can be narrowed to, with sums over the sessions that match. */
export function useChoices(filter: SessionsFilter) {
  return useQuery({
    queryKey: [...SESSIONS_KEY, "choices", filter],
    queryFn: ({ signal }) => getChoices(filter, signal),
    placeholderData: keepPreviousData,
  });
}

/** The rows of pages, each session once. A row that moved between two pages while these were asked for stays where it was first. */
function useRowViews(pages: readonly SessionPage[] | undefined): readonly RowView[] {
  return useMemo(() => {
    const views = new Map<string, RowView>();
    for (const { sessions } of pages ?? [])
      for (const row of sessions) if (!views.has(row.id)) views.set(row.id, rowView(row));
    return [...views.values()];
  }, [pages]);
}

/** The view of a row. An unchanged session keeps its view, so that its row is not drawn again. */
export function rowView(row: SessionRow): RowView {
  const view = VIEWS.get(row) ?? toRowView(row, agentName);
  VIEWS.set(row, view);
  return view;
}

const VIEWS = new WeakMap<SessionRow, RowView>();

/** True if the server is still reading files. */
export function isIndexing({ done, total }: SessionPage["indexing"]): boolean {
  return done < total;
}

/** Pause between two polls while files are read, in ms. It is longer for long lists, which cost more to send; who sees a few sessions for the first time waits for their titles. */
export function pollPause(sessions: number): number {
  return Math.max(Math.min(400 + sessions * 10, 1500), sessions * 4);
}

const SOURCES_KEY = ["sources"] as const;

/** The searched folders. */
export function useSources() {
  return useQuery({ queryKey: SOURCES_KEY, queryFn: ({ signal }) => ask("sources", {}, signal) });
}

/**
 * How far the server is with reading files, as it tells. What is shown is asked for again while the list is another one.
 * @param shown the revision of the list that is shown
 * @param rows how many rows of it have arrived
 * @param askedAt when they did, in milliseconds
 */
export function useIndexing(shown: number | undefined, rows: number, askedAt: number): IndexingEvent | undefined {
  const client = useQueryClient();
  const [event, setEvent] = useState<IndexingEvent>();
  useEffect(() => listenToIndexing(setEvent), []);
  const isBehind = shown !== undefined && event !== undefined && shown !== event.revision;
  const pause = pollPause(rows);
  useEffect(() => {
    if (!isBehind) return;
    const ask = () => {
      void client.invalidateQueries({ queryKey: SESSIONS_KEY }, { cancelRefetch: false });
      void client.invalidateQueries({ queryKey: SOURCES_KEY }, { cancelRefetch: false });
    };
    // A list that has stood for a while is asked for at once.
    const first = setTimeout(ask, Math.max(0, askedAt + pause - Date.now()));
    const timer = setInterval(ask, pause);
    return () => {
      clearTimeout(first);
      clearInterval(timer);
    };
  }, [isBehind, pause, askedAt, client]);
  return event;
}

/** The request goes out when typing pauses for this long. */
const PAUSE_MS = 150;

/** The list as the address describes it: its state, its rows, and what it can be narrowed to. */
export function useBrowsed() {
  const list = useListState();
  const filters = useSettled(list.filters, PAUSE_MS);
  const filtered = isFiltered(filters);
  const unread = list.onlyUnread ? "only" : filtered ? "among" : "folded";
  const request = useMemo(() => listRequest(filters, list.sort, unread), [filters, list.sort, unread]);
  const query = useSessionList(request);
  const last = query.data?.pages.at(-1);
  const rows = useRowViews(query.data?.pages);
  const indexing = useIndexing(query.data?.pages[0]?.revision, rows.length, query.dataUpdatedAt);
  const isReading = last !== undefined && isIndexing(indexing ?? last.indexing);
  const asked = useMemo(() => filterRequest(filters), [filters]);
  const choices = useChoices(asked).data;
  // Without filters this is the same question.
  const all = useChoices(unfilteredRequest(asked)).data;
  return { list, filtered, request, query, rows, total: last?.total ?? 0, indexing, isReading, choices, all };
}

export type Browsed = ReturnType<typeof useBrowsed>;
