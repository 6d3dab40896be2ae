import type { SessionColumns } from "./columns";

/** Columns with the token column that is in force: what a file holds, in numbers, and how large each row is under one estimator. */
export interface CountedColumns {
  readonly columns: SessionColumns;
  /** Token column of the estimator, inferred overhead included. */
  readonly tokens: Int32Array;
}
