import type { RowView } from "./row-view";

/** The rows of the list, with the files that could not be read set apart. */
export interface SetApart {
  /** What the list shows, in order. */
  readonly rows: readonly RowView[];
  /** How many files can be folded and unfolded; 0 where they are in the list anyway. */
  readonly foldable: number;
}

/**
 * Sets files that are no transcripts apart from the sessions that they would stand among: folded into a number, unfolded before
 * all others. Where something is searched for they are in the list, last, so that they are found; as they are where nothing else is.
 * @param rows as filtered and sorted
 */
export function setApart(rows: readonly RowView[], options: { filtered: boolean; unfolded: boolean }): SetApart {
  const sessions = rows.filter(({ state }) => state !== "failed");
  const files = rows.filter(({ state }) => state === "failed");
  if (options.filtered || sessions.length === 0) return { rows: [...sessions, ...files], foldable: 0 };
  return { rows: options.unfolded ? [...files, ...sessions] : sessions, foldable: files.length };
}
