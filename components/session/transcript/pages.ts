/** Items whose text is fetched together. */
export const PAGE_ITEMS = 100;

/** The pages that hold the items of some rows, ascending and once. */
export function pagesOf(items: Iterable<number>): readonly number[] {
  return [...new Set(Array.from(items, (item) => Math.floor(item / PAGE_ITEMS)))].sort((a, b) => a - b);
}

/** The half-open range of items of a page. */
export function pageRange(page: number, items: number): readonly [number, number] {
  return [page * PAGE_ITEMS, Math.min(items, (page + 1) * PAGE_ITEMS)];
}
