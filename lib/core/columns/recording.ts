import type { SessionColumns } from "./columns";

/** A recording as it is counted: what the file holds, in numbers, and how large every row of it is under the estimator in force. */
export interface Recording {
  readonly columns: SessionColumns;
  /** Token column of the estimator, inferred overhead included. */
  readonly tokens: Int32Array;
}
