import type { SortKey } from "./filters";

/** Columns of the table in order. `context` is the sparkline: the list cannot be sorted by it, only by its peak. `select` has the boxes to tick. */
export const COLUMNS = [
  { key: "select" },
  { key: "title" },
  { key: "agent" },
  { key: "project" },
  { key: "model" },
  { key: "when" },
  { key: "requests", numeric: true },
  { key: "context" },
  { key: "peak", numeric: true },
  { key: "compactions", numeric: true },
  { key: "sent", numeric: true },
  { key: "cost", numeric: true },
  { key: "notRead", numeric: true },
] as const satisfies readonly { readonly key: SortKey | "select" | "context"; readonly numeric?: true }[];

/** Tracks of the table, shared by its head, its rows and the skeleton. They go by the width of the list, which shares the screen with filters. */
export const TABLE_GRID =
  "grid items-center gap-3 px-4 grid-cols-[1rem_minmax(0,1fr)_2.75rem_4.75rem_5.5rem_5.5rem_4.25rem_5.5rem_3rem_1.5rem_4.25rem_4.5rem_2.5rem] @min-[72rem]:grid-cols-[1rem_minmax(0,1fr)_2.25rem_5.5rem_7rem_5rem_3.75rem_9rem_2.75rem_1.5rem_3.75rem_4.25rem_3rem] @min-[86rem]:grid-cols-[1rem_minmax(0,1fr)_2.25rem_6rem_8.5rem_5rem_3.75rem_13rem_2.75rem_1.5rem_3.75rem_4.25rem_3rem] @min-[104rem]:grid-cols-[1rem_minmax(0,1fr)_2.75rem_10rem_14rem_6.5rem_4.5rem_13rem_3rem_2rem_5rem_5.5rem_4rem]";

/** Heights in px, final from the first frame on. */
export const ROW_HEIGHT = 36;
export const CARD_HEIGHT = 92;
export const HEAD_HEIGHT = 24;
export const FILTER_HEIGHT = 48;

/** From this width on the list is a table, below it a list of cards. The width equals Tailwind's `lg`. */
export const TABLE_QUERY = "(width >= 64rem)";
