import type { RowView } from "./row-view";

/** The rows of the list, and how many files that could not be read are kept out of the way. */
export interface SetApart {
  /** The rows that the list shows, in order. */
  readonly rows: readonly RowView[];
  /** How many files can be folded and unfolded; 0 where the list contains them anyway. */
  readonly foldable: number;
}

/**
 * Keeps files that are not transcripts apart from the sessions. Folded they are only counted; unfolded they come before all
 * sessions. While a filter is set they stay in the list, at its end, so that a search finds them; likewise where there is nothing
 * else.
 * @param rows as filtered and sorted
 */
export function setApart(rows: readonly RowView[], options: { filtered: boolean; unfolded: boolean }): SetApart {
  const sessions = rows.filter(({ state }) => state !== "failed");
  const files = rows.filter(({ state }) => state === "failed");
  if (options.filtered || sessions.length === 0) return { rows: [...sessions, ...files], foldable: 0 };
  return { rows: options.unfolded ? [...files, ...sessions] : sessions, foldable: files.length };
}
