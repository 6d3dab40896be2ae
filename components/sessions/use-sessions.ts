"use client";

import { type QueryClient, useQuery } from "@tanstack/react-query";
import { getSources, listSessions } from "@/lib/api/client";
import { type AllSessions, fetchAllSessions, isIndexing, pollPause } from "./all-sessions";
import type { RowView } from "./row-view";
import { rowView, SESSIONS_KEY } from "./use-session-list";

const ALL_KEY = [...SESSIONS_KEY, "all"];
/** The most that the server returns at once, since the whole list is wanted. */
const PAGE_ROWS = 200;
export const SOURCES_KEY = ["sources"] as const;

/** Every session, fetched page by page, and polled again while the server is still reading files. */
export function useSessions() {
  return useQuery({
    queryKey: ALL_KEY,
    queryFn: ({ client, signal }) => loadSessions(client, signal),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && isIndexing(data.indexing) ? pollPause(data.sessions.length) : false,
  });
}

/** The searched folders. */
export function useSources() {
  return useQuery({ queryKey: SOURCES_KEY, queryFn: ({ signal }) => getSources(signal) });
}

/** Rows of the list, one view per session. */
export function rowViews(all: AllSessions | undefined): RowView[] {
  return (all?.sessions ?? []).map(rowView);
}

async function loadSessions(client: QueryClient, signal: AbortSignal): Promise<AllSessions> {
  const previous = client.getQueryData<AllSessions>(ALL_KEY);
  const fetchPage = (cursor: string | undefined) =>
    listSessions({ limit: PAGE_ROWS, ...(cursor !== undefined && { cursor }) }, signal);
  return fetchAllSessions(fetchPage, previous, Date.now, (part) => {
    // Parts are shown on the first load only. Later a list that is shorter for a moment would make rows jump.
    if (previous === undefined) client.setQueryData(ALL_KEY, part);
  });
}
