import { type QueryClient, useQueries, useQueryClient } from "@tanstack/react-query";
import { ask } from "@/lib/queries/client/client";
import type { ItemText } from "@/lib/queries/contract/types";
import { answeredCall, pairedItem } from "../state/rows";
import { useSession } from "../state/stores";

/** The texts behind an item's line. */
export interface LineTexts {
  /** `undefined` while this text, or the text of the answered call, is loading. */
  readonly text: ItemText | undefined;
  /** The text of the call that the item answers; `undefined` if it answers none, or if the call cannot be fetched. */
  readonly call: ItemText | undefined;
  readonly failed: boolean;
}

export interface ItemTexts {
  /** `undefined` while the item's page is loading. */
  readonly textOf: (item: number) => ItemText | undefined;
  /** True if the item's page could not be fetched. */
  readonly failed: (item: number) => boolean;
  readonly lineOf: (item: number) => LineTexts;
  readonly retry: () => void;
}

interface PageTexts {
  readonly items: readonly ItemText[];
}

/** The part of a page that was fetched while the session was shorter. */
function knownTexts(client: QueryClient, key: readonly unknown[]): PageTexts {
  const known = client.getQueriesData<PageTexts>({ queryKey: key }).map(([, data]) => data?.items ?? []);
  return { items: known.reduce((longest, items) => (items.length > longest.length ? items : longest), []) };
}

/** The texts of the items in view and of the calls that they answer, fetched in pages. No other text of the transcript ever reaches the browser. */
export function useItemTexts(visible: readonly number[]): ItemTexts {
  const { id, version, columns, texts: generation } = useSession("id", "version", "columns", "texts");
  const client = useQueryClient();
  const pages = pagesOf(visible.flatMap((item) => [item, pairedItem(columns, item) ?? item]));
  const results = useQueries({
    queries: pages.map((page) => {
      const [from, to] = pageRange(page, columns.length);
      const key = ["session", id, "items", generation, page];
      return {
        queryKey: [...key, to - from],
        // The last page grows with the session: its known part is not fetched again.
        queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<PageTexts> => {
          const { items } = knownTexts(client, key);
          const more = await ask("items", { id, search: { from: from + items.length, to, at: version } }, signal);
          return { items: [...items, ...more.items] };
        },
        placeholderData: () => knownTexts(client, key),
        staleTime: Number.POSITIVE_INFINITY,
      };
    }),
  });
  const byPage = new Map(pages.map((page, index) => [page, results[index]]));
  const pageOf = (item: number) => byPage.get(Math.floor(item / PAGE_ITEMS));
  const textOf = (item: number) => pageOf(item)?.data?.items[item % PAGE_ITEMS];
  const failed = (item: number) => pageOf(item)?.isError ?? false;
  return {
    textOf,
    failed,
    lineOf: (item) => {
      const answered = answeredCall(columns, item);
      const call = answered === undefined ? undefined : textOf(answered);
      const isWaiting = answered !== undefined && call === undefined && !failed(answered);
      return { text: isWaiting ? undefined : textOf(item), call, failed: failed(item) };
    },
    retry: () => {
      for (const result of results) if (result.isError) void result.refetch();
    },
  };
}

/** Number of items whose texts are fetched together. */
const PAGE_ITEMS = 100;

/** The pages that hold the items of some rows, ascending and without repeats. */
export function pagesOf(items: Iterable<number>): readonly number[] {
  return [...new Set(Array.from(items, (item) => Math.floor(item / PAGE_ITEMS)))].sort((a, b) => a - b);
}

/** The items of a page, as a half-open range. */
export function pageRange(page: number, items: number): readonly [number, number] {
  return [page * PAGE_ITEMS, Math.min(items, (page + 1) * PAGE_ITEMS)];
}
