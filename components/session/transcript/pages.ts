/** How many items' texts are fetched together. */
export const PAGE_ITEMS = 100;

/** The pages that hold the items of some rows, ascending and without repeats. */
export function pagesOf(items: Iterable<number>): readonly number[] {
  return [...new Set(Array.from(items, (item) => Math.floor(item / PAGE_ITEMS)))].sort((a, b) => a - b);
}

/** The items of a page, as a half-open range. */
export function pageRange(page: number, items: number): readonly [number, number] {
  return [page * PAGE_ITEMS, Math.min(items, (page + 1) * PAGE_ITEMS)];
}
