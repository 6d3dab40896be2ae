"use client";

import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { agentName } from "@/lib/agents/agents";
import { getChoices, listSessions, type SessionsFilter } from "@/lib/api/client";
import type { SessionPage, SessionRow } from "@/lib/api/types";
import { type RowView, toRowView } from "./row-view";

/** Everything that is asked about the list. */
export const SESSIONS_KEY = ["sessions"] as const;
/** Rows of a page: a screen full and some more. */
const PAGE_ROWS = 100;

export interface ListRequest extends SessionsFilter {
  readonly sort: string;
}

/** The pages of the list that were scrolled to. While other ones are asked for, the last ones are still shown. */
export function useSessionList(request: ListRequest) {
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
export function useRowViews(pages: readonly SessionPage[] | undefined): readonly RowView[] {
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
