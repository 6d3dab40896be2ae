"use client";

import { useQueries } from "@tanstack/react-query";
import { getItems } from "@/lib/api/client";
import type { ItemText } from "@/lib/api/types";
import { useSession } from "../state/session-data";
import { PAGE_ITEMS, pageRange, pagesOf } from "./pages";

export interface ItemTexts {
  /** `undefined` while its page is on the way. */
  readonly textOf: (item: number) => ItemText | undefined;
  /** Whether the item's page could not be fetched. */
  readonly failed: (item: number) => boolean;
  readonly retry: () => void;
}

/** The texts of the items in view, fetched by pages; nothing else of the transcript ever reaches the browser. */
export function useItemTexts(visible: readonly number[]): ItemTexts {
  const { id, columns } = useSession();
  const pages = pagesOf(visible);
  const results = useQueries({
    queries: pages.map((page) => {
      const [from, to] = pageRange(page, columns.length);
      return {
        queryKey: ["session", id, "items", page],
        queryFn: ({ signal }: { readonly signal: AbortSignal }) => getItems(id, from, to, signal),
        staleTime: Number.POSITIVE_INFINITY,
      };
    }),
  });
  const byPage = new Map(pages.map((page, index) => [page, results[index]]));
  const pageOf = (item: number) => byPage.get(Math.floor(item / PAGE_ITEMS));
  return {
    textOf: (item) => pageOf(item)?.data?.items[item % PAGE_ITEMS],
    failed: (item) => pageOf(item)?.isError ?? false,
    retry: () => {
      for (const result of results) if (result.isError) void result.refetch();
    },
  };
}
