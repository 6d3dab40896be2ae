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

/** First part of the keys of all queries about the list. */
export const SESSIONS_KEY = ["sessions"] as const;
/** Rows of a page: a screenful and some more. */
const PAGE_ROWS = 100;

export interface ListRequest extends SessionsFilter {
  readonly sort: string;
}

/** The pages of the list that were scrolled to. While other pages are loading, the last ones stay. */
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

/** The values of the filters, with sums over the matching sessions. */
export function useChoices(filter: SessionsFilter) {
  return useQuery({
    queryKey: [...SESSIONS_KEY, "choices", filter],
    queryFn: ({ signal }) => getChoices(filter, signal),
    placeholderData: keepPreviousData,
  });
}

/** The rows of pages, each session once. A row that moved between two page requests keeps its first position. */
function useRowViews(pages: readonly SessionPage[] | undefined): readonly RowView[] {
  return useMemo(() => {
    const views = new Map<string, RowView>();
    for (const { sessions } of pages ?? [])
      for (const row of sessions) if (!views.has(row.id)) views.set(row.id, rowView(row));
    return [...views.values()];
  }, [pages]);
}

/** The view of a row. An unchanged session keeps its view, so that its row does not render again. */
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

/** Pause in ms between polls while files are read: longer for long lists, which take longer to send. */
export function pollPause(sessions: number): number {
  return Math.max(Math.min(400 + sessions * 10, 1500), sessions * 4);
}

const SOURCES_KEY = ["sources"] as const;

/** The searched folders. */
export function useSources() {
  return useQuery({ queryKey: SOURCES_KEY, queryFn: ({ signal }) => ask("sources", {}, signal) });
}

/**
 * Progress of the server in reading files. The list is refetched when its revision changes.
 * @param shown the revision of the list that is shown
 * @param rows number of loaded rows
 * @param askedAt when they arrived, in milliseconds
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
    // A list that has been unchanged for a while is refetched at once.
    const first = setTimeout(ask, Math.max(0, askedAt + pause - Date.now()));
    const timer = setInterval(ask, pause);
    return () => {
      clearTimeout(first);
      clearInterval(timer);
    };
  }, [isBehind, pause, askedAt, client]);
  return event;
}

/** Pause in typing before a request is sent. */
const PAUSE_MS = 150;

/** The list for an address: its state, its rows, and the values of its filters. */
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
  // The same query if there are no filters.
  const all = useChoices(unfilteredRequest(asked)).data;
  return { list, filtered, request, query, rows, total: last?.total ?? 0, indexing, isReading, choices, all };
}

export type Browsed = ReturnType<typeof useBrowsed>;
