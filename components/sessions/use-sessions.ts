"use client";

import { type QueryClient, useQuery } from "@tanstack/react-query";
import { profileOf } from "@/lib/agents/profiles";
import { getSources, listSessions } from "@/lib/api/client";
import type { SessionRow } from "@/lib/api/types";
import { type AllSessions, fetchAllSessions, isIndexing, pollPause } from "./all-sessions";
import { type RowView, toRowView } from "./row-view";

export const SESSIONS_KEY = ["sessions"] as const;
/** The most that the server returns at once, since the whole list is wanted. */
const PAGE_ROWS = 200;
const SOURCES_KEY = ["sources"] as const;

/** Every session, fetched page by page, and polled again while the server is still reading files. */
export function useSessions() {
  return useQuery({
    queryKey: SESSIONS_KEY,
    queryFn: ({ client, signal }) => loadSessions(client, signal),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && isIndexing(data.indexing) ? pollPause(data.sessions.length) : false,
  });
}

/** The searched folders. They are counted again while files are being read. */
export function useSources(indexing: boolean) {
  return useQuery({
    queryKey: SOURCES_KEY,
    queryFn: ({ signal }) => getSources(signal),
    refetchInterval: indexing ? 5000 : false,
  });
}

/** Rows of the list, one view per session. An unchanged session keeps its view, so that its row is not drawn again. */
export function rowViews(all: AllSessions | undefined): RowView[] {
  return (all?.sessions ?? []).map((row) => {
    const view = VIEWS.get(row) ?? toRowView(row, profileOf);
    VIEWS.set(row, view);
    return view;
  });
}

const VIEWS = new WeakMap<SessionRow, RowView>();

async function loadSessions(client: QueryClient, signal: AbortSignal): Promise<AllSessions> {
  const previous = client.getQueryData<AllSessions>(SESSIONS_KEY);
  const fetchPage = (cursor: string | undefined) =>
    listSessions({ limit: PAGE_ROWS, ...(cursor !== undefined && { cursor }) }, signal);
  return fetchAllSessions(fetchPage, previous, Date.now, (part) => {
    // Parts are shown on the first load only. Later a list that is shorter for a moment would make rows jump.
    if (previous === undefined) client.setQueryData(SESSIONS_KEY, part);
  });
}
