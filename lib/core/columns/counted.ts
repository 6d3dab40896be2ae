import type { SessionColumns } from "./columns";

/** Columns with the token column in force: the numbers of a file, and the size of each row under one estimator. */
export interface CountedColumns {
  readonly columns: SessionColumns;
  /** Token column of the estimator, inferred overhead included. */
  readonly tokens: Int32Array;
}
