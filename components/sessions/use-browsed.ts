import { useMemo } from "react";
import { useSettled } from "@/components/hooks/use-settled";
import { isIndexing } from "./all-sessions";
import { isFiltered } from "./filters";
import { filterRequest, listRequest, unfilteredRequest } from "./list-request";
import { useIndexing } from "./use-indexing";
import { useListState } from "./use-list-state";
import { useChoices, useRowViews, useSessionList } from "./use-session-list";

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
