import type { SessionColumns } from "./columns";

/** Columns as they are counted: what a file holds, in numbers, and how large every row of it is under the estimator in force. */
export interface CountedColumns {
  readonly columns: SessionColumns;
  /** Token column of the estimator, inferred overhead included. */
  readonly tokens: Int32Array;
}
