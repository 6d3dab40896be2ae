import { type QueryClient, useQuery } from "@tanstack/react-query";
import { saveFile } from "@/components/export/save";
import { fileName, type TableData } from "@/components/export/table-data";
import type { CellValue } from "@/lib/core/base/csv";
import { listSessions, request } from "@/lib/queries/client/client";
import type { SessionPage, SessionRow } from "@/lib/queries/contract/types";
import type { RowView } from "./row-view";
import { isIndexing, type ListRequest, pollPause, rowView, SESSIONS_KEY } from "./use-session-list";

/** Every session of the server, and its progress in reading files. */
interface AllSessions {
  readonly sessions: readonly SessionRow[];
  readonly indexing: SessionPage["indexing"];
}

/** Maximum number of pages in a row: a circular cursor must not block the page for ever. */
const MAX_PAGES = 10_000;

/** Fetches page after page. `onPart` is called after each page but the last, so that the list is usable in the meantime. */
export async function fetchAllSessions(
  fetchPage: (cursor: string | undefined) => Promise<SessionPage>,
  onPart?: (part: AllSessions) => void,
): Promise<AllSessions> {
  const sessions = new Map<string, SessionRow>();
  let cursor: string | undefined;
  let page = await fetchPage(cursor);
  for (let pages = 1; ; pages++) {
    for (const row of page.sessions) sessions.set(row.id, row);
    const all = { sessions: [...sessions.values()], indexing: page.indexing };
    if (page.nextCursor === null || page.nextCursor === cursor || pages === MAX_PAGES) return all;
    onPart?.(all);
    cursor = page.nextCursor;
    page = await fetchPage(cursor);
  }
}

/** Fetches a page with the maximum number of rows, since the whole list is needed. */
function largePage(request: Partial<ListRequest>, cursor: string | undefined, signal?: AbortSignal) {
  return listSessions({ ...request, limit: 200, ...(cursor !== undefined && { cursor }) }, signal);
}

/** The views of all sessions of a filtered and sorted list. */
export async function wholeList(request: ListRequest): Promise<readonly RowView[]> {
  return rowViews(await fetchAllSessions((cursor) => largePage(request, cursor)));
}

const ALL_KEY = [...SESSIONS_KEY, "all"];

/** Every session, fetched page by page, and polled again while the server is still reading files. */
export function useSessions() {
  return useQuery({
    queryKey: ALL_KEY,
    queryFn: ({ client, signal }) => loadSessions(client, signal),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && isIndexing(data.indexing) ? pollPause(data.sessions.length) : false,
  });
}

async function loadSessions(client: QueryClient, signal: AbortSignal): Promise<AllSessions> {
  const previous = client.getQueryData<AllSessions>(ALL_KEY);
  return fetchAllSessions(
    (cursor) => largePage({}, cursor, signal),
    (part) => {
      // Parts are shown on the first load only. Later a temporarily shorter list would make rows jump.
      if (previous === undefined) client.setQueryData(ALL_KEY, part);
    },
  );
}

/** Rows of the list, one view per session. */
export function rowViews(all: AllSessions | undefined): RowView[] {
  return (all?.sessions ?? []).map(rowView);
}

/** The columns of an exported list: the page's columns with numbers or words, and columns that distinguish sessions with equal titles. */
const VALUES = {
  title: ({ title }) => title,
  file: ({ title, file }) => file ?? title,
  agent: ({ agent }) => agent?.label ?? null,
  project: ({ project }) => project,
  model: ({ models }) => models.join(", ") || null,
  when: ({ at }) => (at === null ? null : new Date(at).toISOString()),
  requests: ({ requests }) => requests,
  peak: ({ peak }) => peak,
  compactions: ({ compactions }) => compactions,
  sent: ({ sent }) => sent,
  cost: ({ cost }) => cost,
  notRead: ({ notRead }) => notRead,
  id: ({ id }) => id,
} as const satisfies Record<string, (row: RowView) => CellValue>;

type ListColumn = keyof typeof VALUES;

/** The sessions of a list as data. Unknown values are left empty. */
export function listTable(rows: readonly RowView[], headOf: (column: ListColumn) => string): TableData {
  const columns = Object.keys(VALUES) as ListColumn[]; // The keys of a constant.
  return {
    heads: columns.map(headOf),
    rows: rows.map((row) => columns.map((column) => VALUES[column](row))),
  };
}

/** Requests a report of sessions and saves it. Rejects with `ApiError`. */
export async function saveReport(name: string, ids: readonly string[], signal: AbortSignal): Promise<void> {
  const report = await request("report", { body: { sessions: [...ids] } }, signal);
  saveFile(fileName(`context-replay ${name}`, "html"), await report.blob());
}
